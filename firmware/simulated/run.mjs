// A scanner without hardware; its commands and answers are in ../README.md.
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { boot, FIRMWARE, PowerCut } from './interpreter.mjs';

const { values: options } = parseArgs({
  options: {
    flash: { type: 'string' },
    port: { type: 'string', default: '0' },
    control: { type: 'string', default: '0' },
    serial: { type: 'string', default: 'SW-SIM-00000001' },
    board: { type: 'string', default: 'rp2040' },
    capacity: { type: 'string', default: '6144' },
    maker: { type: 'string', default: '' },
  },
});
if (!options.flash) throw new Error('--flash DIR is missing');

const RECORDS = 96; // of a segment, see scanner/store.py
const ANSWERS = new Set(['stored', 'full', 'refused', 'failed', 'unadopted']);
const PATIENCE = 3000; // how long a tag is held
let line = null; // the clock's end
let arrived = Buffer.alloc(0);
let running = null; // what is powered
const cut = { bytes: Number.POSITIVE_INFINITY };

const host = {
  random: (n) => randomBytes(n).toString('hex'),
  connected: () => line !== null,
  waiting: () => arrived.length,
  read: (most) => {
    const data = arrived.subarray(0, most).toString('hex');
    arrived = arrived.subarray(most);
    return data;
  },
  write: (data) => line?.write(Buffer.from(data, 'hex')),
};

// Lays the firmware of this folder onto the flash, unless an update has been taken there.
function flash() {
  mkdirSync(join(options.flash, 'a'), { recursive: true });
  for (const name of ['boot.py', 'main.py']) cpSync(join(FIRMWARE, name), join(options.flash, name));
  if (!existsSync(join(options.flash, 'slot'))) {
    for (const name of ['scanner', 'boards']) {
      cpSync(join(FIRMWARE, name), join(options.flash, 'a', name), { recursive: true });
    }
  }
  const records = Math.min(RECORDS, Number(options.capacity));
  const log = [Math.ceil(Number(options.capacity) / records), records];
  const { serial, board, maker } = options;
  writeFileSync(join(options.flash, 'unit.json'), JSON.stringify({ serial, board, maker, log }));
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function on() {
  flash();
  const machine = { off: false, mp: null };
  running = machine;
  try {
    machine.mp = await boot({ folder: options.flash, modules: { host }, cut });
    machine.mp.runPython('import world\nworld.start()');
    const call = (name) => machine.mp.globals.get('world')[name];
    Object.assign(machine, { step: call('step'), hold: call('hold'), listSignals: call('list_signals'), state: call('state'), isHeld: call('is_held') });
  } catch (error) {
    return fail(machine, error);
  }
  live(machine);
}

async function live(machine) {
  while (!machine.off) {
    let wait;
    try {
      wait = machine.step();
    } catch (error) {
      return fail(machine, error);
    }
    if (wait < 0) return reboot();
    await sleep(Math.min(wait, 250));
  }
}

function off() {
  if (running) running.off = true;
  running = null;
  arrived = Buffer.alloc(0);
}

async function fail(machine, error) {
  if (machine.off) return;
  off();
  // The interpreter wraps the error of a file operation; the account distinguishes a cut from everything else.
  if (error instanceof PowerCut || cut.bytes < 0) return;
  console.error(String(error));
  await sleep(500);
  if (!running) await on();
}

async function reboot() {
  off();
  await on();
}

async function tap(tag) {
  if (!/^([0-9A-F]{2})+$/i.test(tag ?? '')) return { error: 'a tag in hexadecimal digits' };
  const machine = running;
  if (!machine) return { error: 'off' };
  while (running === machine && machine.isHeld(tag)) await sleep(10); // until the reader has seen that the last tap is over
  // Only sounds from now on are the answer: the list is emptied.
  machine.mp.runPython('world.SIGNALS.clear()');
  machine.hold(tag);
  const until = Date.now() + PATIENCE;
  let signal = 'silent';
  while (running === machine && Date.now() < until && signal === 'silent') {
    await sleep(10);
    if (running !== machine) break;
    signal = JSON.parse(machine.listSignals())[1].find((name) => ANSWERS.has(name)) ?? 'silent';
  }
  if (running !== machine) return { signal: 'silent' };
  const { epoch, next } = JSON.parse(machine.state());
  machine.hold('');
  return { signal, epoch, seq: next - 1 };
}

const commands = {
  tap: ([tag]) => tap(tag),
  state: () => (running?.state ? { on: true, ...JSON.parse(running.state()) } : { on: false }),
  reboot: async () => {
    await reboot();
    return { on: running !== null };
  },
  off: () => {
    off();
    return { on: false };
  },
  on: async () => {
    cut.bytes = Number.POSITIVE_INFINITY;
    if (!running) await on();
    return { on: running !== null };
  },
  cut: ([bytes]) => {
    cut.bytes = Number(bytes);
    return { on: running !== null };
  },
  wipe: async () => {
    off();
    rmSync(join(options.flash, 'taps'), { recursive: true, force: true });
    await on();
    return { on: running !== null };
  },
  erase: async () => {
    off();
    rmSync(options.flash, { recursive: true, force: true });
    await on();
    return { on: running !== null };
  },
  quit: () => {
    setTimeout(() => process.exit(0), 20);
    return { on: false };
  },
};

const listen = (server, port) => new Promise((resolve) => server.listen(Number(port), '127.0.0.1', resolve));

const lines = createServer((socket) => {
  line?.destroy();
  line = socket;
  arrived = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('data', (data) => {
    if (running && line === socket) arrived = Buffer.concat([arrived, data]);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    if (line === socket) line = null;
  });
});

const controls = createServer((socket) => {
  let before = Promise.resolve();
  socket.on('error', () => {});
  createInterface({ input: socket }).on('line', (text) => {
    const [word, ...rest] = text.trim().split(/\s+/);
    before = before
      .then(() => (commands[word] ? commands[word](rest) : { error: `no command ${word}` }))
      .catch((error) => ({ error: String(error) }))
      .then((answer) => socket.write(`${JSON.stringify(answer)}\n`));
  });
});

await on();
await listen(lines, options.port);
await listen(controls, options.control);
console.log(JSON.stringify({ port: lines.address().port, control: controls.address().port }));
process.on('SIGTERM', () => process.exit(0));
