import { act } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../tests/eventually'
import { renderQueries } from '../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../tests/server'
import { reportReached, reportUnreachable } from '../api/connectivity'
import { end, reload } from '../api/session'
import { db } from '../offline/db'
import { discard } from '../offline/outbox'
import { unsentCounts, unsentOf } from '../offline/unsent'
import { setClock } from '../ui/now'
import { keepSending, send, takeBack, useTrouble, useUnsent } from './sending'

serve()

const PATH = '/api/vacation-requests'
const letter = (reason = 'Ostern') => ({ kind: 'vacation', path: PATH, body: { reason } })

/** The service's effects by key: a second request with the same key gets the first answer. */
let done = new Map<string, unknown>()
let keys: string[] = []
let stop: () => void = () => undefined

function well() {
  server.use(
    http.post(url(PATH), async ({ request }) => {
      const key = request.headers.get('Idempotency-Key') ?? ''
      keys.push(key)
      if (!done.has(key)) done.set(key, await request.json())
      return HttpResponse.json({ id: `v-${done.size}` }, { status: 201 })
    }),
  )
}

const refused = (status: number, message: string) =>
  server.use(http.post(url(PATH), () => refusal(status, message)))

beforeEach(async () => {
  reload()
  await discard()
  done = new Map()
  keys = []
  logInAs()
  reportReached()
})
afterEach(() => {
  stop()
  stop = () => undefined
  setClock(() => Date.now())
})

describe('what is asked for', () => {
  it('is sent at once, with a key, and leaves nothing behind', async () => {
    well()
    expect(await send(letter())).toEqual({ state: 'sent', data: { id: 'v-1' } })
    expect(keys[0]).toMatch(/^[0-9a-f-]{32,36}$/)
    expect(await db.outbox.count()).toBe(0)
    expect(unsentCounts()).toEqual([])
  })

  it('is refused to whoever waits for it, and is not kept', async () => {
    refused(409, 'In diesem Zeitraum hast du schon einen Antrag.')
    await expect(send(letter())).rejects.toThrow('In diesem Zeitraum hast du schon einen Antrag.')
    expect(await db.outbox.count()).toBe(0)
  })

  it('waits where too much came from its person, as long as the service says', async () => {
    server.use(
      http.post(url(PATH), () =>
        HttpResponse.json({ code: 'too_many_keys' }, { status: 429, headers: { 'Retry-After': '3600' } }),
      ),
    )
    const timeouts = vi.spyOn(globalThis, 'setTimeout')
    expect(await send(letter())).toEqual({ state: 'queued' })
    expect(timeouts.mock.calls.map(([, ms]) => ms)).toContain(3_600_000)
    expect(await db.outbox.count()).toBe(1)
    well()
    stop = keepSending(() => undefined)
    await eventually(() => expect(done.size).toBe(1))
    await eventually(async () => expect(await db.outbox.count()).toBe(0))
  })

  it('is sent all the same where the device keeps nothing', async () => {
    well()
    vi.spyOn(db.outbox, 'put').mockRejectedValueOnce(new Error('no room'))
    expect(await send(letter())).toEqual({ state: 'sent', data: { id: 'v-1' } })
  })
})

describe('a store that does not answer', () => {
  const hang = () => new Promise(() => undefined) as never

  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

  it('holds up nothing: it is sent, and said that nothing is kept', async () => {
    well()
    vi.spyOn(db.outbox, 'put').mockImplementation(hang)
    const trouble = renderQueries(() => useTrouble()[0])
    const sent = send(letter())
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    expect(await sent).toEqual({ state: 'sent', data: { id: 'v-1' } })
    await eventually(() => expect(trouble.current).toEqual({ unkept: true, lost: 0 }))
  })

  it('is told by who could not send either', async () => {
    server.use(http.post(url(PATH), () => HttpResponse.error()))
    reportUnreachable()
    vi.spyOn(db.outbox, 'put').mockImplementation(hang)
    const sent = send(letter()).catch(error => error.message)
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    expect(await sent).toContain('dieses Gerät hebt gerade nichts auf')
  })

  it('keeps nothing to be sent twice when it answers after all', async () => {
    well()
    let answer: () => void = () => undefined
    const put = db.outbox.put.bind(db.outbox)
    vi.spyOn(db.outbox, 'put').mockImplementation(
      item =>
        new Promise<void>(resolve => {
          answer = resolve
        }).then(() => put(item)) as never,
    )
    const sent = send(letter())
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    await sent
    answer()
    await eventually(async () => {
      expect(await db.outbox.count()).toBe(0)
      expect(unsentCounts()).toEqual([])
    })
    expect(keys).toHaveLength(1)
  })

  it('does not make of what has arrived something refused', async () => {
    well()
    vi.useRealTimers()
    vi.spyOn(db.outbox, 'delete').mockRejectedValue(new Error('gone'))
    expect(await send(letter())).toEqual({ state: 'sent', data: { id: 'v-1' } })
  })
})

describe('what the browser has lost', () => {
  it('is told once, and what is left is sent', async () => {
    reportUnreachable()
    for (const reason of ['eins', 'zwei', 'drei']) await send(letter(reason))
    const [one, two] = await db.outbox.toArray()
    await db.outbox.bulkDelete([one?.id ?? '', two?.id ?? ''])
    const trouble = renderQueries(useTrouble)
    well()
    stop = keepSending(() => undefined)
    reportReached()
    await eventually(() => expect(trouble.current[0].lost).toBe(2))
    await eventually(() => expect(unsentOf(MIA.userId)).toBe(0))
    expect(done.size).toBe(1)
    act(trouble.current[1])
    stop()
    stop = keepSending(() => undefined)
    await send(letter('vier'))
    expect(trouble.current[0]).toEqual({ unkept: false, lost: 0 })
  })

  it('is not what another tab has sent, or somebody has taken back', async () => {
    reportUnreachable()
    for (const reason of ['eins', 'zwei']) await send(letter(reason))
    const [one] = await db.outbox.toArray()
    if (one !== undefined) await takeBack(one)
    const trouble = renderQueries(() => useTrouble()[0])
    well()
    const stops = [keepSending(() => undefined), keepSending(() => undefined)]
    stop = () => {
      for (const each of stops) each()
    }
    reportReached()
    await eventually(() => expect(unsentOf(MIA.userId)).toBe(0))
    expect(trouble.current.lost).toBe(0)
  })

  it('is prevented as far as it can be: the browser is asked to keep what waits', async () => {
    const persist = vi.fn(async () => true)
    Object.defineProperty(navigator, 'storage', { value: { persist }, configurable: true })
    well()
    await send(letter())
    expect(persist).not.toHaveBeenCalled()
    reportUnreachable()
    await send(letter())
    expect(persist).toHaveBeenCalled()
    Reflect.deleteProperty(navigator, 'storage')
  })
})

describe('without the service', () => {
  it('it is kept, and sent once when the service is back', async () => {
    reportUnreachable()
    expect(await send(letter())).toEqual({ state: 'queued' })
    expect(unsentOf(MIA.userId)).toBe(1)
    well()
    const sent = vi.fn()
    stop = keepSending(sent)
    reportReached()
    await eventually(() => expect(sent).toHaveBeenCalledTimes(1))
    expect([...done.values()]).toEqual([{ reason: 'Ostern' }])
    expect(unsentOf(MIA.userId)).toBe(0)
  })

  it('it keeps its order, also within a millisecond and whatever its keys', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    for (const digit of ['3', '2', '1']) {
      vi.spyOn(crypto, 'randomUUID').mockReturnValueOnce(`${digit.repeat(8)}-0000-4000-8000-000000000000`)
    }
    reportUnreachable()
    for (const reason of ['eins', 'zwei', 'drei']) await send(letter(reason))
    well()
    stop = keepSending(() => undefined)
    reportReached()
    await eventually(() => expect(done.size).toBe(3))
    expect([...done.values()]).toEqual([{ reason: 'eins' }, { reason: 'zwei' }, { reason: 'drei' }])
  })

  it('it happens once, although the answer was lost', async () => {
    let heard = 0
    server.use(
      http.post(url(PATH), async ({ request }) => {
        heard += 1
        done.set(request.headers.get('Idempotency-Key') ?? '', await request.json())
        return HttpResponse.error()
      }),
    )
    expect(await send(letter())).toEqual({ state: 'queued' })
    well()
    stop = keepSending(() => undefined)
    reportReached()
    await eventually(() => expect(unsentOf(MIA.userId)).toBe(0))
    expect(heard).toBe(1)
    expect(done.size).toBe(1)
  })

  it('it is sent once by two tabs', async () => {
    reportUnreachable()
    await send(letter())
    well()
    const stops = [keepSending(() => undefined), keepSending(() => undefined)]
    stop = () => {
      for (const stopSending of stops) stopSending()
    }
    reportReached()
    await eventually(() => expect(unsentOf(MIA.userId)).toBe(0))
    expect(done.size).toBe(1)
  })
})

describe('what the service refuses later', () => {
  it('stays with its sentence, and holds up nothing behind it', async () => {
    reportUnreachable()
    await send(letter('schlecht'))
    await send(letter('gut'))
    server.use(
      http.post(url(PATH), async ({ request }) => {
        const body = (await request.json()) as { reason: string }
        if (body.reason === 'schlecht') return refusal(409, 'Das geht nicht mehr.')
        done.set(request.headers.get('Idempotency-Key') ?? '', body)
        return HttpResponse.json({}, { status: 201 })
      }),
    )
    stop = keepSending(() => undefined)
    reportReached()
    await eventually(() => expect([...done.values()]).toEqual([{ reason: 'gut' }]))
    const unsent = renderQueries(() => useUnsent('vacation'))
    await eventually(() =>
      expect(unsent.current).toMatchObject([
        { body: { reason: 'schlecht' }, refusal: { status: 409, sentence: 'Das geht nicht mehr.' } },
      ]),
    )
    const [item] = unsent.current
    if (item !== undefined) await takeBack(item)
    await eventually(() => expect(unsent.current).toEqual([]))
  })

  it('is not asked for again after thirty days, when the service has forgotten its key', async () => {
    reportUnreachable()
    await send(letter())
    const [item] = await db.outbox.toArray()
    await db.outbox.update(item?.id ?? '', { createdAt: Date.now() - 31 * 24 * 60 * 60 * 1_000 })
    well()
    stop = keepSending(() => undefined)
    reportReached()
    await eventually(async () =>
      expect(await db.outbox.toArray()).toMatchObject([{ refusal: { code: 'too_old' } }]),
    )
    expect(keys).toEqual([])
  })

  it('is as old as the service’s clock says, on a device whose own is months ahead', async () => {
    const service = Date.now() - 75 * 24 * 60 * 60 * 1_000
    setClock(() => service)
    reportUnreachable()
    await send(letter())
    expect(await db.outbox.toArray()).toMatchObject([{ createdAt: expect.closeTo(service, -1) }])
    well()
    stop = keepSending(() => undefined)
    reportReached()
    await eventually(async () => expect(await db.outbox.count()).toBe(0))
    expect(done.size).toBe(1)
  })
})

describe('a session that ends', () => {
  it('by itself keeps what is unsent for the same person, who sends it after the next login', async () => {
    refused(401, 'Nicht autorisiert. Bitte neu einloggen.')
    expect(await send(letter())).toEqual({ state: 'queued' })
    expect(unsentCounts()).toEqual([{ userId: MIA.userId, username: MIA.username, count: 1 }])
    well()
    stop = keepSending(() => undefined)
    logInAs({ ...MIA, token: 'token-2' })
    await eventually(() => expect(done.size).toBe(1))
  })

  it('lets nobody else send it', async () => {
    reportUnreachable()
    await send(letter('von Mia'))
    end('expired')
    logInAs({ ...MIA, userId: 'u-2', username: 'ben', token: 'token-3' })
    const unsent = renderQueries(() => useUnsent('vacation'))
    expect(unsent.current).toEqual([])
    await send(letter('von Ben'))
    well()
    stop = keepSending(() => undefined)
    reportReached()
    // It is older, so it would have been sent earlier.
    await eventually(() => expect(unsentOf('u-2')).toBe(0))
    expect([...done.values()]).toEqual([{ reason: 'von Ben' }])
    expect(unsentOf(MIA.userId)).toBe(1)
    await eventually(() => expect(unsent.current).toEqual([]))
  })
})
