// Which locations a board shows and for how long, from its address: /board/main shows one,
// /board?rotate=main,lounge&seconds=20 several in turn. Pure.

const SECONDS = 20;
const SECONDS_MIN = 5;

/**
 * @param {string} path
 * @param {string} query
 * @returns {{locations: string[], seconds: number, sound: boolean, voice: boolean,
 *   genesis: string|undefined}}
 */
export function asked(path, query) {
  const words = new URLSearchParams(query);
  const one = /^\/board\/([^/]+)$/.exec(path)?.[1];
  const several = (words.get('rotate') ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
  const seconds = Number(words.get('seconds'));
  return {
    locations: one ? [decodeURIComponent(one)] : [...new Set(several)],
    seconds: Number.isFinite(seconds) && seconds >= SECONDS_MIN ? seconds : SECONDS,
    sound: words.get('sound') === '1',
    voice: words.get('voice') === '1',
    genesis: words.get('genesis') ?? undefined,
  };
}

/**
 * The location that is shown after this one; the same if there is only one.
 * @param {string[]} locations
 * @param {string} location
 */
export function after(locations, location) {
  return locations[(locations.indexOf(location) + 1) % locations.length] ?? location;
}
