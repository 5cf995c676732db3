// Verifies many files in one node: what test_browser_verifier.py runs.
//
// node verify-files.js CASES: a JSON list of {chain, ticket?, genesis?}, the first two names of
// files; prints a JSON list of what verifyGame says of each, and how long it took.

import { readFile } from 'node:fs/promises';
import { argv, stdout } from 'node:process';

import { verifyGame } from '../../../keno/pages/verify/proof.js';

const said = [];
for (const { chain, ticket, genesis } of JSON.parse(await readFile(argv[2], 'utf8'))) {
  const lines = await readFile(chain);
  const asked = { ticket: ticket && (await readFile(ticket)), genesis };
  const start = performance.now();
  const report = await verifyGame(lines, asked);
  said.push({ ...report, took_ms: performance.now() - start });
}
stdout.write(JSON.stringify(said));
