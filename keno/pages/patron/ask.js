// Asking the server, and saying no in a patron's words. Nothing is kept and nothing is counted.

/** The server said no, or could not be reached: a code and a sentence. */
export class No extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const WORDS = {
  unknown_ticket:
    'No ticket has this number and this code. Compare every character with the paper.',
  too_fast: 'That was often in a short time. Wait a minute, then try again.',
  sales_stopped:
    'Sales have stopped: the rate card must be replaced. Winning tickets are still paid. Ask at the booth.',
  offline: 'No connection. Try again when your phone is online.',
  unavailable: 'The keno computer cannot be reached at this moment. Try again.',
  broken: 'This did not work. A writer at the booth can help.',
};

/** What a patron reads when something was refused. */
export function wordsFor(no) {
  return WORDS[no.code] ?? no.message;
}

async function reach(path, body, started) {
  let answer;
  try {
    answer = await (started ??
      fetch(path, { credentials: 'omit', signal: AbortSignal.timeout(20_000), ...posting(body) }));
  } catch {
    throw new No('offline', WORDS.offline);
  }
  if (answer.ok) return answer;
  let said = {};
  try {
    said = await answer.json();
  } catch {
    // not ours: a proxy's page, perhaps
  }
  throw new No(said.code ?? 'unavailable', said.message ?? WORDS.unavailable);
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

/** The JSON behind a path; with a body, posted; `started` is an answer already on its way. Throws `No`. */
export async function ask(path, body, started) {
  return (await reach(path, body, started)).json();
}

/** The text behind a path. Throws `No`. */
export async function askText(path, body) {
  return (await reach(path, body)).text();
}
