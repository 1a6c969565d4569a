/** A fake of the clock's agent: the touchscreen's files, its stream of views, and the touches it received. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { View } from '../../src/kiosk/view'
import { DIST, serveFile } from './files'
import { reservedPort } from './ports'
import { IDLE } from './views'

const POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'"

export class Agent {
  url = ''
  readonly posts: { path: string; body: unknown }[] = []
  private port = 0
  private view: View = IDLE
  private server: Server | null = null
  private readonly streams = new Set<ServerResponse>()

  /** Also once more, on the same port. */
  async start(): Promise<void> {
    this.port ||= await reservedPort()
    this.url = `http://127.0.0.1:${this.port}`
    const server = createServer((request, response) => void this.answer(request, response))
    this.server = server
    await new Promise<void>(resolve => server.listen(this.port, '127.0.0.1', resolve))
  }

  async stop(): Promise<void> {
    const server = this.server
    this.server = null
    if (server === null) return
    for (const stream of this.streams) stream.destroy()
    const closed = new Promise(resolve => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  show(view: View) {
    this.view = view
    for (const stream of this.streams) stream.write(`data: ${JSON.stringify(view)}\n\n`)
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(request.url ?? '/', this.url)
    if (pathname === '/events') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
      response.write(`retry: 200\n\ndata: ${JSON.stringify(this.view)}\n\n`)
      this.streams.add(response)
      response.on('close', () => this.streams.delete(response))
    } else if (request.method === 'POST') {
      let text = ''
      for await (const chunk of request) text += chunk
      this.posts.push({ path: pathname, body: JSON.parse(text) })
      response.writeHead(204).end()
    } else {
      serveFile(pathname, response, { folder: join(DIST, 'kiosk'), policy: POLICY, pages: null })
    }
  }
}
