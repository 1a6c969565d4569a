import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../tests/eventually'
import { held, logInAs, MIA, refusal, serve, server, url } from '../../tests/server'
import { reportReached, reportUnreachable } from './connectivity'
import { hasUnreported, keepReporting, markEnded, reportEnded } from './endedSessions'
import { currentSession, reload } from './session'

const LOGOUT = url('/api/logout')
/** `printf token-1 | sha256sum`, and so on. */
const HASH = {
  'token-1': '3f08aace122ee2368432c1ca23a049bc640bafbf00fdf33a52429f38ba12dbf9',
  'token-2': '0f6bffa9661cb5dd2f3f7b2929f33061f58a7ba7fdd689530b1a306f8ed8f3ec',
}

const TWO_HOURS_MS = 2 * 60 * 60 * 1_000

let sent: { sessions: string[]; bearer: string | null }[] = []

function answering(answer: () => Response = () => new HttpResponse(null, { status: 204 })) {
  server.use(
    http.post(LOGOUT, async ({ request }) => {
      const { sessions } = (await request.json()) as { sessions: string[] }
      sent.push({ sessions, bearer: request.headers.get('Authorization') })
      return answer()
    }),
  )
}

const outOfReach = () => answering(() => HttpResponse.error())

serve()
beforeEach(async () => {
  sent = []
  reload()
  reportReached()
  answering()
  await reportEnded()
  sent = []
})
afterEach(() => {
  reportReached()
})

describe('a session that is left', () => {
  it('leaves nothing but its hash, and when that was', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000 })
    markEnded('token-1')
    expect({ ...localStorage }).toEqual({ [`left/${HASH['token-1']}`]: '1000' })
    expect(hasUnreported()).toBe(true)
  })

  it('is told without any token, and forgotten once the service knows', async () => {
    markEnded('token-1')
    await reportEnded()
    expect(sent).toEqual([{ sessions: [HASH['token-1']], bearer: null }])
    expect(localStorage.length).toBe(0)
    await reportEnded()
    expect(sent).toHaveLength(1)
  })

  it('is forgotten also where the service says that nobody is logged in', async () => {
    answering(() => refusal(401, 'Nein.'))
    markEnded('token-1')
    await reportEnded()
    expect(hasUnreported()).toBe(false)
  })

  it.each([
    ['out of reach', () => HttpResponse.error()],
    ['failing', () => new HttpResponse(null, { status: 500 })],
    ['behind a proxy that does not find it', () => new HttpResponse(null, { status: 502 })],
    ['throttled', () => refusal(429, 'Zu viele Versuche.')],
  ])('stays known while the service is %s', async (_, answer) => {
    answering(answer)
    markEnded('token-1')
    await reportEnded()
    expect(sent).toHaveLength(1)
    expect(hasUnreported()).toBe(true)
  })

  it('is told together with the others, however many there are', async () => {
    for (let number = 0; number < 45; number += 1) markEnded(`token-${number}`)
    await reportEnded()
    expect(sent.map(({ sessions }) => sessions.length)).toEqual([20, 20, 5])
    expect(new Set(sent.flatMap(({ sessions }) => sessions)).size).toBe(45)
    expect(localStorage.length).toBe(0)
  })

  it('is over by itself after two hours, and then nobody is told', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    markEnded('token-1')
    vi.setSystemTime(Date.now() + TWO_HOURS_MS / 2)
    markEnded('token-2')
    vi.setSystemTime(Date.now() + TWO_HOURS_MS / 2)
    await reportEnded()
    expect(sent).toEqual([{ sessions: [HASH['token-2']], bearer: null }])
    expect(localStorage.length).toBe(0)
  })

  it('that somebody spoilt in the storage is told to nobody', async () => {
    localStorage.setItem('left/nonsense', 'nonsense')
    await reportEnded()
    expect(sent).toEqual([])
    expect(localStorage.length).toBe(0)
  })

  it('is known to the page where the browser stores nothing', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('forbidden', 'SecurityError')
    })
    outOfReach()
    markEnded('token-1')
    await reportEnded()
    expect(hasUnreported()).toBe(true)
    answering()
    await reportEnded()
    expect(sent).toHaveLength(2)
    expect(hasUnreported()).toBe(false)
  })

  it('in two tabs at once is one session', async () => {
    markEnded('token-1')
    markEnded('token-1')
    expect(localStorage.length).toBe(1)
    await Promise.all([reportEnded(), reportEnded()])
    expect(new Set(sent.flatMap(({ sessions }) => sessions))).toEqual(new Set([HASH['token-1']]))
    expect(localStorage.length).toBe(0)
  })

  it('does not take along one that is left while the service is being told', async () => {
    const { answer, asked, release } = held(() => new HttpResponse(null, { status: 204 }))
    server.use(http.post(LOGOUT, answer, { once: true }))
    markEnded('token-1')
    const telling = reportEnded()
    await asked
    markEnded('token-2')
    release()
    await telling
    expect(sent).toEqual([{ sessions: [HASH['token-2']], bearer: null }])
    expect(localStorage.length).toBe(0)
  })
})

describe('the service hears of it', () => {
  it('at the next opening of the app', async () => {
    markEnded('token-1')
    const stop = keepReporting()
    await eventually(() => expect(localStorage.length).toBe(0))
    stop()
    expect(sent).toHaveLength(1)
  })

  it('when it is found again while the app is open', async () => {
    outOfReach()
    reportUnreachable()
    markEnded('token-1')
    const stop = keepReporting()
    await eventually(() => expect(sent).toHaveLength(1))
    answering()
    reportReached()
    await eventually(() => expect(localStorage.length).toBe(0))
    stop()
  })

  it('once a minute where nobody notices that it was lost and found', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    answering(() => new HttpResponse(null, { status: 500 }))
    markEnded('token-1')
    const stop = keepReporting()
    await eventually(() => expect(sent).toHaveLength(1))
    answering()
    vi.advanceTimersByTime(60_000)
    await eventually(() => expect(localStorage.length).toBe(0))
    stop()
    markEnded('token-2')
    vi.advanceTimersByTime(600_000)
    expect(sent).toHaveLength(2)
  })

  it('from somebody else who has logged in meanwhile, whose session goes on', async () => {
    markEnded('token-1')
    logInAs({ ...MIA, token: 'token-2', userId: 'u-2' })
    answering(() => refusal(401, 'Nein.'))
    await reportEnded()
    expect(sent).toEqual([{ sessions: [HASH['token-1']], bearer: null }])
    expect(currentSession()?.token).toBe('token-2')
    expect(localStorage.getItem('token')).toBe('token-2')
  })

  it('from the browser itself where it wakes the worker', async () => {
    const register = vi.fn(async () => undefined)
    vi.stubGlobal('navigator', {
      onLine: true,
      serviceWorker: { getRegistration: async () => ({ sync: { register } }) },
    })
    outOfReach()
    markEnded('token-1')
    await reportEnded()
    await eventually(() => expect(register).toHaveBeenCalledWith(`left/${HASH['token-1']}`))
  })
})
