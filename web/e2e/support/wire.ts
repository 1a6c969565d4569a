/**
 * A proxy to a service that loses answers: a request arrives and is carried out, and the line breaks before its answer
 * is back.
 */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Taken {
  path: string
  key: string
}

export class Wire {
  url = ''
  /** The first answer to everything that has an Idempotency-Key gets lost. */
  loses = false
  /** The POSTs with a key that the service has carried out or refused, in order. */
  readonly taken: Taken[] = []
  private readonly lost = new Set<string>()
  private readonly server: Server = createServer((asked, answer) => this.pass(asked, answer))

  constructor(private readonly service: string) {}

  async start(): Promise<void> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve))
    this.url = `http://localhost:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve))
    this.server.closeAllConnections()
    await closed
  }

  private pass(asked: IncomingMessage, answer: ServerResponse) {
    const { method = 'GET', url: path = '/', headers } = asked
    const onward = request(this.service + path, { method, headers }, got => {
      if (this.swallows(method, path, headers['idempotency-key'])) {
        got.resume().once('end', () => asked.socket.destroy())
        return
      }
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
      got.once('close', () => got.complete || asked.socket.destroy())
    })
    onward.on('error', () => asked.socket.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  }

  private swallows(method: string, path: string, key: string | string[] | undefined): boolean {
    if (method !== 'POST' || typeof key !== 'string') return false
    this.taken.push({ path, key })
    if (!this.loses || this.lost.has(key)) return false
    this.lost.add(key)
    return true
  }
}
