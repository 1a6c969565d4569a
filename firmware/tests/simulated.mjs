// The scanner without hardware as others use it: a process, its control, its line, and a flash that outlives it.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { FIRMWARE } from '../simulated/interpreter.mjs';

async function started(folder) {
  const child = spawn(process.execPath, [join(FIRMWARE, 'simulated/run.mjs'), '--flash', folder, '--capacity', '3']);
  const first = await new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  const { port, control } = JSON.parse(first);
  const socket = connect(control, '127.0.0.1');
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const say = async (text) => {
    socket.write(`${text}\n`);
    return JSON.parse((await lines.next()).value);
  };
  return { child, port, say };
}

const gone = (child) => new Promise((resolve) => child.once('exit', resolve));

// The line's bytes until `enough` have come.
const heard = (port, enough) =>
  new Promise((resolve) => {
    const line = connect(port, '127.0.0.1');
    let data = Buffer.alloc(0);
    line.on('data', (piece) => {
      data = Buffer.concat([data, piece]);
      if (data.length >= enough) line.destroy();
    });
    line.on('close', () => resolve(data));
  });

/** Claims as [what, what came out, what was expected]. */
export async function simulated() {
  const folder = mkdtempSync(join(tmpdir(), 'scanner-'));
  const all = [];
  const claim = (what, actual, expected) => all.push([`simulated: ${what}`, actual, expected]);
  try {
    let { child, port, say } = await started(folder);
    claim('nobody has adopted it', (await say('tap 04A224B1C2D380')).signal, 'unadopted');
    const hello = await heard(port, 90);
    claim('it greets whoever connects', [hello[0], hello.includes('SW-SIM-00000001')], [0, true]);
    await say('off');
    writeFileSync(join(folder, 'scanner.json'), JSON.stringify({ key: '11'.repeat(32), name: 'Tor' }));
    claim('it is switched on', await say('on'), { on: true });
    claim('the first tap', (await say('tap 04A224B1C2D380')).seq, 1);
    const { epoch, name } = await say('state');
    claim('its name', name, 'Tor');
    await say('cut 20');
    claim('the power fails in the middle of a tap', (await say('tap 04A224B1C2D381')).signal, 'silent');
    claim('it is off', (await say('state')).on, false);
    await say('on');
    claim('what was signalled is there, what was not is not', (await say('state')).used, 1);
    claim('what is said wrongly', 'error' in (await say('dance')), true);
    child.kill('SIGKILL');
    await gone(child);
    ({ child, say } = await started(folder));
    claim('its flash outlives the process', ((s) => [s.used, s.epoch !== epoch])(await say('state')), [1, true]);
    const signals = [];
    for (const last of ['82', '83', '84']) signals.push((await say(`tap 04A224B1C2D3${last}`)).signal);
    claim('it fills', signals, ['stored', 'stored', 'full']);
    await say('wipe');
    const wiped = await say('state');
    claim('wiped it keeps its key', [wiped.next, wiped.adopted, wiped.epoch !== epoch], [1, true, true]);
    await say('erase');
    claim('erased it keeps nothing', (await say('state')).adopted, false);
    claim('and its flash is laid anew', readdirSync(folder).includes('main.py'), true);
    await say('quit');
    claim('it ends when told', await gone(child), 0);
  } catch (error) {
    claim('it runs', String(error), null);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return all;
}
