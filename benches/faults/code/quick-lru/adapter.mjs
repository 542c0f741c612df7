// quick-lru with room for two entries. The first argument is a file that names the mutant, or `-` for none; the
// second is the instrumented module.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import {pathToFileURL} from 'node:url';

const [mutant, file] = process.argv.slice(2);
if (mutant !== '-') {
  process.env.__STRYKER_ACTIVE_MUTANT__ = path.basename(mutant);
}
const {default: QuickLRU} = await import(pathToFileURL(path.resolve(file)));

let cache;
let result;

function step({op, key}) {
  const said = found => (found ? 'hit' : 'miss');
  result = 'none';
  if (op === 'set') cache.set(key, 1);
  else if (op === 'get') result = said(cache.get(key) === 1);
  else if (op === 'peek') result = said(cache.peek(key) === 1);
  else if (op === 'has') result = said(cache.has(key));
  else if (op === 'remove') result = said(cache.delete(key));
  else cache.clear();
}

for await (const line of readline.createInterface({input: process.stdin})) {
  const request = JSON.parse(line);
  let answer = {};
  if (request.op === 'hello') {
    answer = {inputs: 'leaving', reset: true};
  } else if (request.op === 'reset' || request.op === 'step') {
    try {
      if (request.op === 'reset') {
        cache = new QuickLRU({maxSize: 2});
        result = 'none';
      } else {
        step(request.inputs);
      }
      answer = {outputs: {result, size: cache.size}};
    } catch (error) {
      answer = {outputs: {}, error: String(error)};
    }
  }
  console.log(JSON.stringify(answer));
}
// Which mutants were executed, for the denominator.
if (process.env.SPECWRIGHT_LINES) {
  const covered = globalThis.__stryker__?.mutantCoverage?.static ?? {};
  fs.writeFileSync(process.env.SPECWRIGHT_LINES, Object.keys(covered).join('\n'));
}
