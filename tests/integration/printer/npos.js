// Reads jobs (base64, one a line) and says what npos, which we did not write, makes of each.
'use strict';
const npos = require('../../node_modules/npos');
const iconv = require('../../node_modules/iconv-lite');
const rules = Object.assign({}, npos.rules);
rules[npos.symbols.GS] = Object.assign({'(k': [0, 'd16']}, rules[npos.symbols.GS]);
const parser = npos.parser(rules);

async function read(job) {
  const raw = Buffer.from(job, 'base64');
  const commands = parser.analyze(raw).tree.map(node => [node.ascii + (node.fn || ''),
    raw.slice(node.offset, node.offset + node.length).toString('base64')]);
  const ast = await parser.parse(raw);  // it moves the offsets of pictures
  const text = [], pictures = [];
  for (const entry of ast.entries) {
    if (entry.type === 'text') text.push(iconv.decode(entry.data, 'win1252'));
    if (entry.type === 'raster') {
      const rows = [];
      for (let y = 0; y < entry.data.height; y++) {
        let row = '';
        for (let x = 0; x < entry.data.width; x++) {
          row += entry.data.getPixel(x, y) === 0 ? '1' : '0';
        }
        rows.push(row);
      }
      pictures.push(rows);
    }
  }
  return {commands, text: text.join(''), pictures};
}

(async () => {
  const jobs = require('fs').readFileSync(0, 'utf8').split('\n').filter(Boolean);
  const answers = [];
  for (const job of jobs) answers.push(await read(job));
  process.stdout.write(JSON.stringify(answers));
})();
