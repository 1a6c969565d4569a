// Completes package-lock.json after `npm install`: npm leaves out the builds for other platforms when the registry at
// hand does not carry them, and `npm ci` then calls the lock incomplete. Each such build gets an entry with its version
// and its platform, by which `npm ci` passes it over here. It carries no hash, so it is installed nowhere unverified:
// on a platform of its own the lock has to be made anew.
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
const present = new Set(Object.keys(lock.packages).map(path => path.split('node_modules/').pop()))
const systems = ['android', 'darwin', 'freebsd', 'linux', 'openbsd', 'openharmony', 'win32']
const processors = ['arm64', 'arm', 'x64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x']
let added = 0

for (const entry of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (present.has(name)) continue
    const os = systems.find(system => name.includes(`-${system}-`) || name.includes(`/${system}-`))
    const cpu = processors.find(processor => name.includes(`-${processor}`))
    if (!os || !cpu || !/^\d+\.\d+\.\d+$/.test(version)) {
      throw new Error(`not a build for one platform: ${name}@${version}`)
    }
    const libc = /-musl/.test(name) ? { libc: ['musl'] } : {}
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      dev: true,
      optional: true,
      os: [os],
      ...libc,
    }
    present.add(name)
    added += 1
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
process.stdout.write(`package-lock.json: ${added} builds for other platforms added\n`)
