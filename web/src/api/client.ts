/**
 * The typed way to the service: adds the bearer token, turns every failure into `Unreachable` or `Refused`, ends the
 * session on a 401, and reports to `connectivity`. It caches nothing and retries nothing.
 */
import createClient, { type Middleware } from 'openapi-fetch'
import { reportReached, reportUnreachable } from './connectivity'
import { Refused, Unreachable } from './failures'
import type { paths } from './schema'
import { currentSession, end } from './session'

const TIMEOUT_MS = 15_000
const FROM_A_PROXY = new Set([502, 503, 504])

async function reachingFetch(request: Request): Promise<Response> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), TIMEOUT_MS)
  request.signal.addEventListener('abort', () => limit.abort(), { once: true })
  let answer: Response
  try {
    answer = await fetch(new Request(request, { signal: limit.signal }))
  } catch (cause) {
    if (request.signal.aborted) throw cause
    reportUnreachable()
    throw new Unreachable(cause)
  } finally {
    clearTimeout(timer)
  }
  if (FROM_A_PROXY.has(answer.status) && !(await isRefusal(answer))) {
    reportUnreachable()
    throw new Unreachable()
  }
  reportReached()
  return answer
}

/** A 503 may also be the service's own word, about what it needs itself: that a mail could not be sent. */
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

export const api = createClient<paths>({
  baseUrl: typeof window === 'undefined' ? '' : window.location.origin,
  fetch: reachingFetch,
})
api.use(bearer)

/** The data of a call's answer; a refusal is thrown. */
export function dataOf<Data>(answer: { data?: Data; error?: unknown; response: Response }): Data {
  if (!answer.response.ok) throw new Refused(answer.response.status, answer.error, answer.response.headers)
  return answer.data as Data
}
