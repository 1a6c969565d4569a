/** The service as a test lays it out: handlers by msw, and an event stream that the test speaks through. */
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { components } from '../src/api/schema'
import { begin, type Session } from '../src/api/session'

type TimeEntry = components['schemas']['TimeEntryRow']

export const ORIGIN = window.location.origin

export const MIA: Session = {
  token: 'token-1',
  role: 'user',
  username: 'Mia Sommer',
  companyId: 'c-1',
  userId: 'u-1',
}

export function logInAs(session: Session = MIA) {
  begin(session)
}

export const url = (path: string) => `${ORIGIN}${path}`

/**
 * Where a test lets a call fail, the service is not well either. The own company's name is asked for on every page, open
 * corrections beside the own times, and what waits for an answer in every menu of an employee and of an administrator.
 */
export const server = setupServer(
  http.get(url('/api/health'), () => HttpResponse.error()),
  http.get(url('/api/companies/:id'), ({ params }) =>
    HttpResponse.json({ id: `${params.id}`, name: 'Tischlerei Holm', timeZone: 'Europe/Berlin' }),
  ),
  http.get(url('/api/schedule/swap-requests'), () => HttpResponse.json([])),
  // And these in every system administrator's.
  http.get(url('/api/alarms'), () => HttpResponse.json([])),
  http.get(url('/api/held-stamps'), () => HttpResponse.json([])),
  http.get(url('/api/support/messages'), () => HttpResponse.json([])),
  http.get(url('/api/closed-companies'), () => HttpResponse.json([])),
  http.get(url('/api/updates/rollouts'), () => HttpResponse.json([])),
  http.get(url('/api/time-corrections/mine'), () => HttpResponse.json([])),
  http.get(url('/api/companies/:id/today'), () =>
    HttpResponse.json({ waiting: { heldStamps: 0, review: 0 } }),
  ),
)

/** To be called by every file whose tests call the service: what one lays out is gone for the next. */
export function serve() {
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())
}

/** The service says no, as it does: a status and, where it has any, words. */
export const refusal = (status: number, message?: string, more: object = {}) =>
  HttpResponse.json(
    { status, code: 'x', message, detail: message, ...more },
    { status, headers: { 'Content-Type': 'application/problem+json' } },
  )

/** An answer that waits until the test lets it go; `asked` tells that somebody waits for it. */
export function held<Answer>(answer: () => Answer) {
  const ask = signal()
  const release = signal()
  const late = () => {
    ask.give()
    return release.given.then(answer)
  }
  return { answer: late, asked: ask.given, release: release.give }
}

/** An answer that does not come. */
export const never = () => new Promise<Response>(() => undefined)

function signal() {
  let give = () => {}
  const given = new Promise<void>(resolve => {
    give = resolve
  })
  return { given, give }
}

export function timesAnswer(entries: readonly TimeEntry[]) {
  return http.get(url('/api/users/:userId/times'), () => HttpResponse.json(entries))
}

export const FIREFOX: components['schemas']['SessionRow'] = {
  id: 's-1',
  device: 'Firefox auf Windows',
  createdAt: '2026-11-20T07:00:00.000Z',
  lastSeen: '2026-11-20T10:05:00.000Z',
  current: true,
}

/** A plan with nothing on it. */
export function planAnswers() {
  return [
    http.get(url('/api/companies/:id/schedule'), () => HttpResponse.json([])),
    http.get(url('/api/schedule/my-swap-requests'), () => HttpResponse.json([])),
    http.get(url('/api/vacation-requests/mine'), () => HttpResponse.json([])),
    http.get(url('/api/messages'), () => HttpResponse.json([])),
    http.get(url('/api/calendar-address'), () => HttpResponse.json({ active: false, createdAt: null })),
  ]
}

/** An account without an authenticator, logged in here alone. */
export function accountAnswers() {
  return [
    http.get(url('/api/auth/2fa/status'), () =>
      HttpResponse.json({ ok: true, enabled: false, message: '', recoveryCodesLeft: 0 }),
    ),
    http.get(url('/api/auth/sessions'), () => HttpResponse.json([FIREFOX])),
  ]
}

export function auditAnswers(entries: readonly components['schemas']['AuditRow'][] = []) {
  return [
    http.get(url('/api/companies/:id/audit'), () => HttpResponse.json(entries)),
    http.get(url('/api/companies/:id/audit/kinds'), () =>
      HttpResponse.json([...new Set(entries.map(({ action }) => action))]),
    ),
    http.get(url('/api/companies/:id/users'), () => HttpResponse.json([])),
  ]
}

export function entry(
  date: string,
  start: string | null,
  end: string | null,
  more: Partial<TimeEntry> = {},
): TimeEntry {
  return {
    id: `${date}-${start}`,
    date,
    start,
    end,
    running: false,
    breakMinutes: null,
    workedMinutesRaw: null,
    workedMinutesNet: null,
    source: 'clock',
    flags: [],
    clockName: 'Werkstatt',
    ...more,
  }
}

/** Stands in for the browser's EventSource; `opened` are all that were made, in order. */
export class FakeEventSource {
  static readonly OPEN = 1
  static opened: FakeEventSource[] = []
  readyState: number = FakeEventSource.OPEN
  onopen: (() => void) | null = null
  onmessage: ((message: { data: string }) => void) | null = null
  onerror: (() => void) | null = null
  closed = false

  constructor(readonly url: string) {
    FakeEventSource.opened.push(this)
  }

  close() {
    this.closed = true
  }

  say(event: unknown) {
    this.onmessage?.({ data: typeof event === 'string' ? event : JSON.stringify(event) })
  }
}
