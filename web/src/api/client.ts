/**
 * The typed client of the service: adds the bearer token, maps every failure to `Unreachable` or `Refused`, ends the
 * session on a 401, and reports to `connectivity`. It waits for complete answers, and neither caches nor retries.
 */
import createClient, { type Middleware } from 'openapi-fetch'
import { reportFailed, reportReached } from './connectivity'
import { isGone, Refused, Unanswered, Unreachable } from './failures'
import type { paths } from './schema'
import { currentSession, end } from './session'

const PATIENCE_MS = 15_000
/** For calls that process each person of a company. */
export const LONG_PATIENCE_MS = 120_000

const GATEWAY_TIMEOUT = 504
const FROM_A_PROXY = new Set([502, 503, GATEWAY_TIMEOUT])

/** A fetch with a time limit for the complete answer. */
export function within(patienceMs: number) {
  return async (request: Request): Promise<Response> => {
    const answer = await wholeAnswer(request, patienceMs)
    if (FROM_A_PROXY.has(answer.status) && !(await isRefusal(answer))) {
      throw failed(request, answer.status === GATEWAY_TIMEOUT)
    }
    reportReached()
    return answer
  }
}

async function wholeAnswer(request: Request, patienceMs: number): Promise<Response> {
  const limit = new AbortController()
  const giveUp = () => limit.abort()
  if (request.signal.aborted) giveUp()
  request.signal.addEventListener('abort', giveUp, { once: true })
  const timer = setTimeout(giveUp, patienceMs)
  let begun = false
  try {
    const answer = await fetch(new Request(request, { signal: limit.signal }))
    begun = true
    const body = await answer.arrayBuffer()
    return new Response(body.byteLength === 0 ? null : body, answer)
  } catch (cause) {
    if (request.signal.aborted) throw cause
    throw failed(request, begun || limit.signal.aborted, cause)
  } finally {
    clearTimeout(timer)
  }
}

/** The error of a mutation that the service may have received: its outcome is unknown. */
function failed({ method }: Request, perhapsHeard: boolean, cause?: unknown): Unreachable {
  reportFailed()
  return perhapsHeard && method !== 'GET' ? new Unanswered(cause) : new Unreachable(cause)
}

/** A 503 may also come from the service itself, about a dependency: for example, a mail could not be sent. */
async function isRefusal(answer: Response): Promise<boolean> {
  if (!answer.headers.get('Content-Type')?.startsWith('application/problem+json')) return false
  const { code } = (await answer
    .clone()
    .json()
    .catch(() => ({}))) as { code?: unknown }
  return typeof code === 'string' && code !== 'unavailable'
}

const bearer: Middleware = {
  onRequest({ request }) {
    const token = currentSession()?.token
    if (token !== undefined) request.headers.set('Authorization', `Bearer ${token}`)
    return request
  },
  onResponse({ request, response }) {
    const token = currentSession()?.token
    // A late answer to an earlier session's call must not end the present one.
    if (response.status === 401 && request.headers.get('Authorization') === `Bearer ${token}`) end('expired')
    return response
  },
}

const OPTIONS = {
  baseUrl: typeof window === 'undefined' ? '' : window.location.origin,
  fetch: within(PATIENCE_MS),
}

/** For calls before the login: they carry no session, and end no session. */
export const anonymous = createClient<paths>(OPTIONS)

export const api = createClient<paths>(OPTIONS)
api.use(bearer)

export interface Answered<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** Returns the data of a call's answer; throws a refusal. */
export function dataOf<Data>(answer: Answered<Data>): Data {
  if (!answer.response.ok) throw new Refused(answer.response.status, answer.error, answer.response.headers)
  return answer.data as Data
}

/**
 * POSTs a stored request in the session's name; returns the answer's data, or throws a refusal. `key`: sent twice, it
 * takes effect once.
 */
export async function post(path: string, body: unknown, key: string): Promise<unknown> {
  const untyped = api.POST as unknown as (path: string, more: object) => Promise<Answered<unknown>>
  return dataOf(await untyped(path, { body, headers: { 'Idempotency-Key': key } })) ?? null
}

/** Accepts an answer to a deletion: an item that is already gone is no failure. */
export function ignoreNotFound(answer: Answered<unknown>): true {
  try {
    dataOf(answer)
  } catch (error) {
    if (!isGone(error)) throw error
  }
  return true
}
