/**
 * A fake of the service, in the test's own process: the app's files, and the few calls of the web with answers that a
 * test decides. It stores nothing; its answers are typed by the service's own description.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { components } from '../../src/api/schema'
import { DIST, serveFile } from './files'
import { reservedPort } from './ports'
import { SITE } from './site'

export type TimeEntry = components['schemas']['TimeEntryRow']

const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'"

export interface Laid {
  status?: number
  body: unknown
  headers?: Record<string, string>
}

/** A request, and its idempotency key. */
export interface Asked {
  body: Record<string, unknown>
  key: string | undefined
}

export const PEOPLE = {
  mia: { role: 'user', username: 'Mia Sommer', companyId: 'c-1', userId: 'u-1' },
  council: { role: 'user', username: 'Vera Rat', companyId: 'c-1', userId: 'u-4', worksCouncil: 'true' },
  chef: { role: 'companyAdmin', username: 'Chef', companyId: 'c-1', userId: 'u-2' },
  root: { role: 'admin', username: 'Root', companyId: 'c-0', userId: 'u-3' },
} as const

export class Service {
  entries: TimeEntry[] = []
  /** Status that the times call is refused with; 0 answers. */
  refuseTimes = 0
  /** Milliseconds before the times call answers. */
  slowTimes = 0
  /**
   * Answers of a test beyond the calls that every test needs, by method and path, and the query where it matters: a
   * status and a body. Bytes go unchanged.
   */
  readonly answers = new Map<string, Laid>()
  /** Handlers of changing calls, by method and path; null where the answer is lost on its way. */
  readonly acts = new Map<string, (asked: Asked) => Laid | null>()
  /** The service's description of its installation. */
  site = SITE
  /**
   * Its clock, sent as `Date` with every answer. Without one no `Date` is sent, so that the page's own clock counts
   * (`stopTheClock`).
   */
  clock: (() => Date) | null = null
  /** Put before the service worker's script: another text is another version. */
  workerRevision = ''
  validToken = 'token-1'
  /** The sessions that were ended, by the hashes of their tokens. */
  readonly left: string[] = []
  url = ''
  private port = 0
  private server: Server | null = null
  /** How many event streams were ever opened. */
  opened = 0
  private readonly streams = new Set<ServerResponse>()

  async start(): Promise<void> {
    this.port ||= await reservedPort()
    this.url = `http://localhost:${this.port}`
    const server = createServer((request, response) => void this.answer(request, response))
    this.server = server
    await new Promise<void>(resolve => server.listen(this.port, '127.0.0.1', resolve))
  }

  /** As when the service is gone: nothing listens any more. */
  async stop(): Promise<void> {
    const server = this.server
    this.server = null
    for (const stream of this.streams) stream.destroy()
    this.streams.clear()
    if (server === null) return
    const closed = new Promise(resolve => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  /** On the same port. */
  async restart(): Promise<void> {
    await this.start()
  }

  /** Events of the service when a stamp or another change has come in. */
  tellUpdate(type = 'times_update') {
    for (const stream of this.streams) stream.write(`data: ${JSON.stringify({ type })}\n\n`)
  }

  get listeners(): number {
    return this.streams.size
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    response.sendDate = false
    if (this.clock !== null) response.setHeader('Date', this.clock().toUTCString())
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url)
    if (pathname === '/sw.js' && this.workerRevision !== '') {
      const script = readFileSync(join(DIST, 'app', 'sw.js'), 'utf8')
      response.writeHead(200, {
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'no-cache',
      })
      response.end(this.workerRevision + script)
      return
    }
    const call = `${request.method} ${pathname}`
    const laid = this.answers.get(`${call}?${searchParams}`) ?? this.answers.get(call)
    if (!pathname.startsWith('/api/') && laid === undefined) {
      serveFile(pathname, response, { folder: join(DIST, 'app'), policy: POLICY, pages: this.site })
      return
    }
    if (call === 'GET /api/site') return json(response, 200, this.site)
    if (call === 'GET /api/health') return json(response, 200, { status: 'ok' })
    const act = this.acts.get(call)
    if (act !== undefined) return this.act(act, request, response)
    if (laid !== undefined) return json(response, laid.status ?? 200, laid.body, laid.headers)
    if (call === 'POST /api/login') return this.logIn(await bodyOf(request), response)
    if (call === 'POST /api/logout') return this.logOut(request, response)
    if (request.headers.authorization !== `Bearer ${this.validToken}`) {
      return problem(response, 401, 'unauthorized', 'Nicht autorisiert. Bitte neu einloggen.')
    }
    if (call === 'GET /api/events') return this.stream(response)
    // Counted in every employee's menu.
    if (call === 'GET /api/schedule/swap-requests') return json(response, 200, [])
    // This in every system administrator's.
    if (call === 'GET /api/alarms') return json(response, 200, [])
    if (call === 'GET /api/held-stamps') return json(response, 200, [])
    if (call === 'GET /api/support/messages') return json(response, 200, [])
    if (call === 'GET /api/updates/rollouts') return json(response, 200, [])
    // And this in every administrator's.
    if (call === 'GET /api/companies/c-1/today') {
      return json(response, 200, { waiting: { heldStamps: 0, review: 0 } })
    }
    if (/^GET \/api\/users\/[^/]+\/times$/.test(call)) return this.times(searchParams, response)
    return problem(response, 404, 'not_found', 'Endpoint nicht gefunden (404).')
  }

  private async act(act: (asked: Asked) => Laid | null, request: IncomingMessage, response: ServerResponse) {
    const key = request.headers['idempotency-key']
    const laid = act({ body: await bodyOf(request), key: typeof key === 'string' ? key : undefined })
    if (laid === null) return request.socket.destroy()
    return json(response, laid.status ?? 200, laid.body, laid.headers)
  }

  private logIn(body: Record<string, string>, response: ServerResponse) {
    const person = PEOPLE[body.username as keyof typeof PEOPLE]
    if (person === undefined || body.password !== 'geheim') {
      return problem(response, 401, 'login_failed', 'Firma, Benutzername oder Passwort ist falsch.', {
        success: false,
      })
    }
    return json(response, 200, { success: true, message: 'Angemeldet.', token: this.validToken, ...person })
  }

  /** The page names the session by the hash of its token, and brings no token. */
  private async logOut(request: IncomingMessage, response: ServerResponse) {
    const { sessions = [] } = (await bodyOf(request)) as unknown as { sessions?: string[] }
    if (request.headers.authorization !== undefined || sessions.length === 0) {
      return problem(response, 401, 'unauthorized', 'Nicht autorisiert. Bitte neu einloggen.')
    }
    this.left.push(...sessions)
    return response.writeHead(204).end()
  }

  private async times(search: URLSearchParams, response: ServerResponse) {
    if (this.slowTimes > 0) await new Promise(resolve => setTimeout(resolve, this.slowTimes))
    if (this.refuseTimes > 0) return problem(response, this.refuseTimes, 'internal', 'Interner Fehler.')
    const from = search.get('from') ?? ''
    const endDate = search.get('to') ?? ''
    return json(
      response,
      200,
      this.entries.filter(entry => entry.date >= from && entry.date <= endDate),
    )
  }

  private stream(response: ServerResponse) {
    this.opened += 1
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
    response.write(': hello\n\n')
    this.streams.add(response)
    response.on('close', () => this.streams.delete(response))
    return response
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, string>> {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text === '' ? '{}' : text) as Record<string, string>
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  return response
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers })
    .end(body instanceof Uint8Array ? body : JSON.stringify(body))
}

function problem(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  extra: object = {},
) {
  return response
    .writeHead(status, { 'Content-Type': 'application/problem+json' })
    .end(
      JSON.stringify({ type: 'about:blank', title: code, status, detail: message, code, message, ...extra }),
    )
}
