import { HttpResponse, http } from 'msw'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { logInAs, MIA, server, url } from '../../tests/server'
import { api, dataOf } from './client'
import { isReachable, reportReached } from './connectivity'
import { Refused, sentenceOf, Unreachable } from './failures'
import { begin, currentSession, reload } from './session'

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
beforeEach(() => {
  reload()
  reportReached()
})
afterEach(() => {
  server.resetHandlers()
  reportReached()
})
afterAll(() => server.close())

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
    answering(() =>
      HttpResponse.json({ code: 'forbidden', message: 'Dafür fehlt die Berechtigung.' }, { status: 403 }),
    )
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
    expect(isReachable()).toBe(false)
  })

  it.each([
    ['mail_failed', true],
    ['unavailable', false],
  ])('answered 503 by the service itself, with %s: it is in reach: %s', async (code, reached) => {
    const headers = { 'Content-Type': 'application/problem+json' }
    answering(() => new HttpResponse(JSON.stringify({ code, message: 'Nein.' }), { status: 503, headers }))
    expect(await times().catch((error: unknown) => error)).toBeInstanceOf(reached ? Refused : Unreachable)
    expect(isReachable()).toBe(reached)
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
    expect(isReachable()).toBe(false)
    answering(() => HttpResponse.json([]))
    await times()
    expect(isReachable()).toBe(true)
  })
})

describe('a 401', () => {
  const refuse = () => answering(() => HttpResponse.json({ message: 'Nein.' }, { status: 401 }))

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
      return HttpResponse.json({ message: 'Nein.' }, { status: 401 })
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
