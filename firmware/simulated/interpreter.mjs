// The MicroPython interpreter with a flash that is a folder of the host's: a file exists once it was closed.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';

export const FIRMWARE = dirname(dirname(fileURLToPath(import.meta.url)));
const FLASH = '/flash';

export class PowerCut extends Error {}

function copyIn(FS, from, to) {
  FS.mkdir(to);
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), `${to}/${name}`];
    if (statSync(source).isDirectory()) copyIn(FS, source, target);
    else if (!name.endsWith('.closing')) FS.writeFile(target, readFileSync(source));
  }
}

// The firmware's file operations are repeated on the host's files; `cut.bytes` more may be written until the power
// fails.
function persist(FS, folder, cut) {
  const host = (path) => (path.startsWith(`${FLASH}/`) ? join(folder, path.slice(FLASH.length)) : null);
  const { write, close, rename, unlink, mkdir, rmdir } = FS;
  const spend = (bytes) => {
    cut.bytes -= bytes;
    if (cut.bytes < 0) throw new PowerCut();
  };
  FS.write = (stream, ...rest) => {
    if (stream.path && host(stream.path)) spend(rest[2]);
    return write(stream, ...rest);
  };
  FS.close = (stream) => {
    const path = stream.path && host(stream.path);
    const writes = (stream.flags & 3) !== 0;
    const result = close(stream);
    if (path && writes) {
      spend(1);
      writeFileSync(`${path}.closing`, FS.readFile(stream.path));
      renameSync(`${path}.closing`, path);
    }
    return result;
  };
  const both = (original, act) => (...paths) => {
    const full = paths.map((path) => (typeof path !== 'string' ? path : path.startsWith('/') ? path : `${FS.cwd()}/${path}`));
    const result = original(...paths);
    const hosts = full.map((path) => (typeof path === 'string' ? host(path) : null));
    if (hosts[0]) {
      spend(1);
      act(...hosts);
    }
    return result;
  };
  FS.rename = both(rename, (from, to) => renameSync(from, to));
  FS.unlink = both(unlink, (path) => rmSync(path));
  FS.mkdir = both(mkdir, (path) => mkdirSync(path, { recursive: true }));
  FS.rmdir = both(rmdir, (path) => rmSync(path, { recursive: true }));
}

/** A running interpreter whose flash is `folder`; `modules` are JavaScript's for its Python; nothing is imported yet. */
export async function boot({ folder, modules = {}, cut = { bytes: Number.POSITIVE_INFINITY }, heap = 1024 * 1024 }) {
  const mp = await loadMicroPython({ heapsize: heap, stdout: (line) => console.error(line), linebuffer: true });
  // It frees by number what JavaScript has forgotten, in whichever interpreter is the newest: after a restart, something else.
  globalThis.pyProxyFinalizationRegistry = { register() {} };
  copyIn(mp.FS, folder, FLASH);
  mp.FS.mkdir('/simulated');
  for (const name of ['machine.py', 'pn532.py', 'world.py']) {
    mp.FS.writeFile(`/simulated/${name}`, readFileSync(join(FIRMWARE, 'simulated', name)));
  }
  persist(mp.FS, folder, cut);
  for (const [name, module] of Object.entries(modules)) mp.registerJsModule(name, module);
  mp.runPython("import sys\nsys.path[:] = ['', '.frozen', '/simulated']");
  return mp;
}
