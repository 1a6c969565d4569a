/** Serves the built gallery, under the app's own policy. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DIST, serveFile } from './files'

const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'"

export class Gallery {
  url = ''
  private server: Server | null = null

  async start(): Promise<void> {
    const server = createServer((request, response) =>
      serveFile(new URL(request.url ?? '/', this.url).pathname, response, {
        folder: join(DIST, 'gallery'),
        policy: POLICY,
        pages: null,
      }),
    )
    this.server = server
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    await new Promise(resolve => this.server?.close(resolve))
  }
}
