// Runs the firmware's tests inside the real MicroPython interpreter (compiled to WebAssembly) and prints
// `N passed, N failed` as its last line; exit status 1 unless all passed. It compares what came out of the interpreter
// with what was expected; what runs in there is tests/check_*.py and the modules under test.
//   node tests/run.mjs [vectors.json]
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';

const FIRMWARE = dirname(dirname(fileURLToPath(import.meta.url)));
const VECTORS = process.argv[2] ?? join(FIRMWARE, '../docs/contract/v1/vectors/tags.json');
const ON_FLASH = { 'scanner/tags.py': 'scanner/tags.py', 'tests/check_tags.py': 'check_tags.py' };

async function boot() {
  const mp = await loadMicroPython({ heapsize: 1024 * 1024 });
  mp.FS.mkdir('/flash');
  mp.FS.mkdir('/flash/scanner');
  for (const [source, target] of Object.entries(ON_FLASH)) {
    mp.FS.writeFile(`/flash/${target}`, readFileSync(join(FIRMWARE, source)));
  }
  mp.runPython("import sys\nsys.path[:] = ['', '.frozen', '/flash']\nimport check_tags");
  return mp;
}

function results(mp, call) {
  mp.runPython(`_results = check_tags.${call}`);
  return JSON.parse(mp.globals.get('_results'));
}

function vectorResults(mp, cases) {
  mp.FS.writeFile('/flash/vectors.json', JSON.stringify({ cases }));
  const all = results(mp, "check('/flash/vectors.json')");
  return [...all, ['every vector was run', all.length, cases.length]];
}

const differs = ([, actual, expected]) => !isDeepStrictEqual(actual, expected);

// A runner that cannot fail proves nothing: a wrong expectation must be seen in every single case.
function controlResult(mp, cases) {
  const wrong = cases.map((item) => ({ ...item, expected: { tag: `not ${item.id}` } }));
  return ['a wrong expectation is noticed', vectorResults(mp, wrong).filter(differs).length, cases.length];
}

const { cases } = JSON.parse(readFileSync(VECTORS, 'utf8'));
const mp = await boot();
const all = [...vectorResults(mp, cases), ...results(mp, 'check_buffers()'), controlResult(mp, cases)];
const failed = all.filter(differs);
for (const [name, actual, expected] of failed) {
  console.log(`FAILED ${name}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}
console.log(`${all.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 && cases.length > 0 ? 0 : 1;
