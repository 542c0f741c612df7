// Puts every mutant of Stryker into one file, switched on by the environment.
// instrument.mjs SOURCE TARGET: prints the number of each mutant and its line.
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const [source, target] = process.argv.slice(2);
const require = createRequire(path.join(process.cwd(), 'package.json'));
const {Instrumenter} = await import(pathToFileURL(require.resolve('@stryker-mutator/instrumenter')));
const quiet = {debug() {}, info() {}, warn() {}, error() {}, isDebugEnabled: () => false};
const options = {plugins: null, ignorers: [], excludedMutations: [], noHeader: false};
const result = await new Instrumenter(quiet).instrument(
  [{name: source, mutate: true, content: fs.readFileSync(source, 'utf8')}],
  options,
);
fs.writeFileSync(target, result.files[0].content);
for (const {id, location, mutatorName, replacement} of result.mutants) {
  console.log(JSON.stringify({id, line: location.start.line + 1, mutatorName, replacement}));
}
