import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../tests/eventually'
import { held, logInAs, MIA, refusal, serve, server, url } from '../../tests/server'
import { api, dataOf, LONG_PATIENCE_MS, within } from './client'
import { isReachable, reportReached } from './connectivity'
import { Refused, sentenceOf, Unanswered, Unreachable } from './failures'
import { begin, currentSession, reload } from './session'

serve()
beforeEach(() => {
  reload()
  reportReached()
})
afterEach(() => {
  reportReached()
})

const times = async () =>
  dataOf(await api.GET('/api/users/{userId}/times', { params: { path: { userId: 'u-1' } } }))

const answering = (resolve: Parameters<typeof http.get>[1]) =>
  server.use(http.get(url('/api/users/u-1/times'), resolve))

describe('a call', () => {
  it('carries the bearer token of the session', async () => {
    logInAs()
    let header: string | null = null
    answering(({ request }) => {
      header = request.headers.get('Authorization')
      return HttpResponse.json([])
    })
    expect(await times()).toEqual([])
    expect(header).toBe('Bearer token-1')
  })

  it('that is refused says why, in the service’s words', async () => {
    answering(() => refusal(403, 'Dafür fehlt die Berechtigung.', { code: 'forbidden' }))
    const failure = await times().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Refused)
    expect(failure).toMatchObject({ status: 403, code: 'forbidden' })
    expect(sentenceOf(failure, 'x')).toBe('Dafür fehlt die Berechtigung.')
    expect(isReachable()).toBe(true)
  })

  it('that is refused without words gets a sentence of ours, with the status at its end', async () => {
    answering(() => new HttpResponse('<html>', { status: 500 }))
    expect(sentenceOf(await times().catch((error: unknown) => error), 'x')).toBe(
      'Auf dem Server ist ein Fehler aufgetreten. (HTTP 500)',
    )
    answering(() => new HttpResponse('<html>', { status: 418 }))
    expect(sentenceOf(await times().catch((error: unknown) => error), 'x')).toBe(
      'Der Server hat die Anfrage nicht angenommen. (HTTP 418)',
    )
  })

  it('to an endpoint that is not there says so', async () => {
    answering(() => new HttpResponse(null, { status: 404 }))
    expect(sentenceOf(await times().catch((error: unknown) => error), 'x')).toBe(
      'Endpoint nicht gefunden (404).',
    )
  })

  it.each([502, 503, 504])('answered %i by a proxy counts as out of reach', async status => {
    answering(() => new HttpResponse(null, { status }))
    expect(await times().catch((error: unknown) => error)).toBeInstanceOf(Unreachable)
    await eventually(() => expect(isReachable()).toBe(false))
  })

  it.each([
    ['mail_failed', true],
    ['unavailable', false],
  ])('answered 503 by the service itself, with %s: it is in reach: %s', async (code, reached) => {
    answering(() => refusal(503, 'Nein.', { code }))
    expect(await times().catch((error: unknown) => error)).toBeInstanceOf(reached ? Refused : Unreachable)
    await eventually(() => expect(isReachable()).toBe(reached))
  })

  it('that is refused tells fields, and for how long to wait', async () => {
    const errors = [{ field: 'email', message: 'Keine Adresse.' }, { odd: 1 }]
    answering(() =>
      HttpResponse.json({ message: 'Nein.', errors }, { status: 429, headers: { 'Retry-After': '24' } }),
    )
    expect(await times().catch((error: unknown) => error)).toMatchObject({
      fields: { email: 'Keine Adresse.' },
      retryAfter: 24,
    })
  })

  it('without any answer counts as out of reach, until one comes', async () => {
    answering(() => HttpResponse.error())
    const failure = await times().catch((error: unknown) => error)
    expect(sentenceOf(failure, 'x')).toBe('Server nicht erreichbar.')
    await eventually(() => expect(isReachable()).toBe(false))
    answering(() => HttpResponse.json([]))
    await times()
    expect(isReachable()).toBe(true)
  })
})

describe('a slow answer', () => {
  const RESET = url('/api/companies/c-1/password-reset-all')
  const path = { params: { path: { id: 'c-1' } } }
  const failureOf = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => error,
    )

  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

  it('to a question is waited for a quarter of a minute', async () => {
    const { answer, asked } = held(() => HttpResponse.json([]))
    answering(answer)
    const failure = failureOf(times())
    await asked
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await failure).toBeInstanceOf(Unreachable)
    expect(await failure).not.toBeInstanceOf(Unanswered)
  })

  it('to what changes something may have happened all the same, and says so', async () => {
    const { answer, asked } = held(() => HttpResponse.json([]))
    server.use(http.put(RESET, answer))
    const failure = failureOf(api.PUT('/api/companies/{id}/password-reset-all', path))
    await asked
    await vi.advanceTimersByTimeAsync(15_000)
    expect(sentenceOf(await failure, 'x')).toBe(
      'Keine Antwort vom Server. Vielleicht ist es trotzdem geschehen: Bitte sieh nach.',
    )
  })

  it('is waited for longer by who asks for much', async () => {
    const { answer, asked, release } = held(() => HttpResponse.json([]))
    server.use(http.put(RESET, answer))
    const patient = { ...path, fetch: within(LONG_PATIENCE_MS) }
    const call = api.PUT('/api/companies/{id}/password-reset-all', patient)
    await asked
    await vi.advanceTimersByTimeAsync(LONG_PATIENCE_MS - 1)
    release()
    expect(dataOf(await call)).toEqual([])
  })

  it.each([
    ['GET', Unreachable],
    ['PUT', Unanswered],
  ] as const)(
    'to %s that stops in the middle is waited for no longer than any other',
    async (method, kind) => {
      vi.spyOn(globalThis, 'fetch').mockImplementation(async request => {
        const { signal } = request as Request
        const start = (stream: ReadableStreamDefaultController) => {
          stream.enqueue(new TextEncoder().encode('['))
          signal.addEventListener('abort', () => stream.error(signal.reason))
        }
        return new Response(new ReadableStream({ start }))
      })
      const call = method === 'GET' ? times() : api.PUT('/api/companies/{id}/password-reset-all', path)
      const failure = failureOf(call)
      await vi.advanceTimersByTimeAsync(15_000)
      expect((await failure)?.constructor).toBe(kind)
    },
  )

  it('of a proxy, which gave up on the service, leaves open what happened', async () => {
    server.use(http.put(RESET, () => new HttpResponse(null, { status: 504 })))
    const failure = failureOf(api.PUT('/api/companies/{id}/password-reset-all', path))
    expect(await failure).toBeInstanceOf(Unanswered)
  })

  it('that nobody waits for any more is not even asked for', async () => {
    let calls = 0
    answering(() => {
      calls += 1
      return HttpResponse.json([])
    })
    const aborting = new AbortController()
    aborting.abort()
    const query = { params: { path: { userId: 'u-1' } }, signal: aborting.signal }
    expect(await failureOf(api.GET('/api/users/{userId}/times', query))).not.toBeInstanceOf(Unreachable)
    expect(calls).toBe(0)
    expect(isReachable()).toBe(true)
  })
})

describe('a 401', () => {
  const refuse = () => answering(() => refusal(401, 'Nein.'))

  it('ends the session and says to log in again', async () => {
    logInAs()
    refuse()
    const failure = await times().catch((error: unknown) => error)
    expect(sentenceOf(failure, 'x')).toBe('Nicht autorisiert. Bitte neu einloggen.')
    expect(currentSession()).toBeNull()
  })

  it('to an earlier session’s call leaves the present one alone', async () => {
    logInAs()
    answering(() => {
      begin({ ...MIA, token: 'token-2' })
      return refusal(401, 'Nein.')
    })
    await times().catch(() => undefined)
    expect(currentSession()?.token).toBe('token-2')
  })

  it('to somebody who is not logged in ends nothing', async () => {
    refuse()
    await times().catch(() => undefined)
    expect(currentSession()).toBeNull()
  })
})
