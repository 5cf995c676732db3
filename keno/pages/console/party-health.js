// The health of the draw's parties, the generator and the witness, in a few words. Pure.

/** @import { DrawStatus, LocationDraws } from '../shared/protocol.js' */

/**
 * The worst state of the generators and witnesses of all locations, in a few words.
 * @param {DrawStatus} room
 */
export function healthOf(room) {
  const found = room.locations.map(partyHealth);
  return (
    ['no', 'look', 'unknown']
      .map((kind) => found.find((each) => each.kind === kind))
      .find(Boolean) ?? { kind: 'good', head: 'Both keys in', note: 'RNG healthy' }
  );
}

/** @param {LocationDraws} place */
function partyHealth({ name, generator, witness, boots, alarms }) {
  /** @param {string} kind @param {string} head */
  const said = (kind, head) => ({ kind, head, note: name });
  if (alarms.some(({ step }) => step === 'halt')) return said('no', 'Keno is halted');
  if (generator.refused === 'locked') return said('look', 'RNG waits for its keys');
  if (generator.answering === false) return said('no', 'RNG does not answer');
  if (witness.answering === false) return said('no', 'Witness does not answer');
  if (boots.length && boots[0].verified === false) return said('no', 'Keys not verified');
  if (alarms.some(({ step }) => step === 'clock')) return said('no', 'The time is not confirmed');
  if (alarms.some(({ step }) => step !== 'expiry')) return said('no', 'A draw is stopped');
  if (alarms.length) return said('look', 'Claims do not expire');
  if (!boots.length || boots[0].verified === null || generator.answering === null)
    return said('unknown', 'RNG not known yet');
  return said('good', '');
}
