// Runs the firmware's tests inside the real MicroPython interpreter (compiled to WebAssembly) and prints
// `N passed, N failed` as its last line; exit status 1 unless all passed. It compares what came out of the interpreter
// with what was expected; what runs in there is tests/check_*.py and the modules under test.
//   node tests/run.mjs [prove] [name of a check ...]
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { boot, FIRMWARE } from '../simulated/interpreter.mjs';
import { testKey } from './images.mjs';

const CONTRACT = join(FIRMWARE, '../docs/contract');
const wanted = process.argv.slice(2).filter((word) => word !== 'prove');
const proves = process.argv.includes('prove');

function lay(FS, from, to, endings) {
  FS.mkdirTree(to);
  for (const name of readdirSync(from)) {
    if (endings.some((ending) => name.endsWith(ending))) FS.writeFile(`${to}/${name}`, readFileSync(join(from, name)));
  }
}

async function interpreter(options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'firmware-'));
  const mp = await boot({ folder, ...options });
  rmSync(folder, { recursive: true });
  lay(mp.FS, join(CONTRACT, 'scanner/v1/vectors'), '/vectors', ['.json']);
  lay(mp.FS, join(CONTRACT, 'v1/vectors'), '/vectors', ['tags.json']);
  lay(mp.FS, FIRMWARE, '/firmware', ['.py']);
  for (const name of ['scanner', 'boards']) lay(mp.FS, join(FIRMWARE, name), `/firmware/${name}`, ['.py']);
  lay(mp.FS, join(FIRMWARE, 'tests'), '/tests', ['.py']);
  mp.runPython("import sys\nsys.path += ['/tests', '/firmware']\nimport kit");
  return mp;
}

async function results(name) {
  const mp = await interpreter();
  if (name === 'check_update') mp.registerJsModule('images', testKey());
  if (proves) mp.runPython(`import ${name}\n${name}.STEP = 1`);
  mp.runPython(`_results = kit.run('${name}')`);
  return JSON.parse(mp.globals.get('_results')).map(([what, ...rest]) => [`${name.slice(6)}: ${what}`, ...rest]);
}

const differs = ([, actual, expected]) => !isDeepStrictEqual(actual, expected);

// A runner that cannot fail proves nothing: what is wrong must be seen, said wrongly or raised.
async function control() {
  const mp = await interpreter();
  mp.FS.writeFile('/tests/check_wrong.py', 'def test_a():\n  yield "x", 1, 2\n\ndef test_b():\n  assert 1 == 2\n');
  mp.runPython("_results = kit.run('check_wrong')");
  return ['what is wrong is noticed', JSON.parse(mp.globals.get('_results')).filter(differs).length, 2];
}

const checks = readdirSync(join(FIRMWARE, 'tests'))
  .filter((name) => /^check_\w+\.py$/.test(name))
  .map((name) => name.slice(0, -3))
  .filter((name) => wanted.length === 0 || wanted.includes(name.slice(6)))
  .sort();
const all = [await control()];
for (const name of checks) {
  const began = process.cpuUsage();
  all.push(...(await results(name)));
  const { user, system } = process.cpuUsage(began);
  console.log(`${name}: ${((user + system) / 1e6).toFixed(1)} s of the processor`);
}
const failed = all.filter(differs);
for (const [name, actual, expected] of failed) {
  const told = typeof actual === 'string' ? actual : JSON.stringify(actual);
  console.log(`FAILED ${name}: ${told} instead of ${JSON.stringify(expected)}`);
}
console.log(`${all.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 && checks.length > 0 ? 0 : 1;
