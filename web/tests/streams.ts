/** A test's own global scope has jsdom's globals and no others of Node's. */
import * as streams from 'node:stream/web'

for (const [name, value] of Object.entries(streams)) {
  if (!(name in globalThis)) Object.assign(globalThis, { [name]: value })
}
