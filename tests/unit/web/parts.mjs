// Lets node find the shared parts where a page finds them: under /parts/.
// Run: node --import ./tests/unit/web/parts.mjs --test 'tests/unit/web/*.test.js'

import { registerHooks } from 'node:module';

const PARTS = new URL('../../../keno/parts/', import.meta.url);

registerHooks({
  resolve(name, context, next) {
    return next(name.startsWith('/parts/') ? new URL(name.slice('/parts/'.length), PARTS).href : name, context);
  },
});
