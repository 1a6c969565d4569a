// Gives an image that `stempelwerk flash` made to a scanner in the real interpreter, restarts it, and prints the outcome.
//   node tests/image.mjs image.swf unit.json
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boot, FIRMWARE } from '../simulated/interpreter.mjs';

const [image, unit] = process.argv.slice(2).map((path) => readFileSync(path));
const folder = mkdtempSync(join(tmpdir(), 'image-'));
for (const name of ['boot.py', 'main.py']) cpSync(join(FIRMWARE, name), join(folder, name));
for (const name of ['scanner', 'boards']) cpSync(join(FIRMWARE, name), join(folder, 'a', name), { recursive: true });
writeFileSync(join(folder, 'unit.json'), unit);

const host = {
  random: (n) => '5a'.repeat(n),
  connected: () => false,
  waiting: () => 0,
  read: () => '',
  write: () => {},
  piece: (at) => image.subarray(at, at + 196).toString('hex'),
  size: () => image.length,
  digest: () => createHash('sha256').update(image).digest('hex'),
};
const start = async (code) => {
  const mp = await boot({ folder, modules: { host } });
  mp.runPython(`import world\nworld.start()\n${code}`);
  return mp.globals.get('said');
};
try {
  const written = await start(`
import host
updates = world.SCANNER.updates
answer = updates.begin(host.size().to_bytes(4, "big") + bytes.fromhex(host.digest()) + bytes(12))
while answer[0] < host.size() and answer[1] == 0:
    answer = updates.chunk(answer[0].to_bytes(4, "big") + bytes.fromhex(host.piece(answer[0])))
said = str(updates.end()[1:])`);
  const started = await start(`
import sys
world.step()
said = sys.path[0] + " " + str(world.SCANNER.updates.on_trial)`);
  const well = written === '(1, 0)' && started === '/flash/b True';
  console.log(well ? 'written, chosen and started' : `${written}, then ${started}`);
} catch (error) {
  console.log(String(error));
} finally {
  rmSync(folder, { recursive: true });
}
