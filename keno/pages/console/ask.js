// Asking the server from the console.
//   ask(type, fields, {quiet})  one command; its answer, or throws `No`. Quiet: a refresh of the
//                               page's own, which does not keep the session alive
//   look(path)                  what a path answers to the session, or throws `No`
//   signIn(person, password), signOut(), whoIsHere()   the session; `whoIsHere` is null for nobody
//   words(error)                the sentence to show for whatever was thrown
//   sessionEnd                  an EventTarget; says 'over' when the server knows nobody any more
// A command whose answer got lost is sent once more under its old request id: the server does a
// thing once.

const AGAIN_MS = 700;
const PATIENCE_MS = 20_000;

const WORDS = {
  offline: 'The server cannot be reached. It is tried again by itself; what you typed is kept.',
  not_signed_in: 'Your session is over. Sign in again.',
};

/** The server said no, or could not be reached. */
export class No extends Error {
  /** @param {string} code @param {string} message @param {string} [where] the field it is about */
  constructor(code, message, where = '') {
    super(message);
    this.code = code;
    this.where = where;
  }
}

export const sessionEnd = new EventTarget();

/** What a person reads when this was thrown. */
export function words(error) {
  if (!(error instanceof No))
    return 'This did not work. Look whether it was done before trying again.';
  return WORDS[error.code] ?? error.message;
}

/**
 * @param {string} type a console message of docs/wire.md
 * @param {Record<string, any>} [fields]
 * @param {{quiet?: boolean}} [how]
 * @returns {Promise<any>}
 */
export async function ask(type, fields = {}, { quiet = false } = {}) {
  const body = { type, request_id: crypto.randomUUID(), ...fields };
  const path = quiet ? '/api/command?quiet=1' : '/api/command';
  try {
    return (await reach(path, body)).answer;
  } catch (error) {
    if (quiet || error.code !== 'offline') throw error;
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    return (await reach(path, body)).answer;
  }
}

/** @param {string} path @returns {Promise<any>} */
export async function look(path) {
  return reach(path, undefined);
}

export async function signIn(person, password) {
  return reach('/api/sign-in', { person, password }, false);
}

export async function signOut() {
  await reach('/api/sign-out', {}, false);
}

/** The session, or null. */
export async function whoIsHere() {
  try {
    return await reach('/api/session', undefined, false);
  } catch (error) {
    if (error.code === 'not_signed_in') return null;
    throw error;
  }
}

async function reach(path, body, tells = true) {
  let answer;
  try {
    answer = await fetch(path, { signal: AbortSignal.timeout(PATIENCE_MS), ...posting(body) });
  } catch {
    throw new No('offline', WORDS.offline);
  }
  const said = await answer.json().catch(() => null);
  if (answer.ok && said !== null && said.type !== 'refused') return said;
  const no = new No(said?.code ?? 'offline', said?.message ?? WORDS.offline, said?.where ?? '');
  if (tells && no.code === 'not_signed_in') sessionEnd.dispatchEvent(new Event('over'));
  throw no;
}

function posting(body) {
  return body === undefined
    ? {}
    : {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      };
}
