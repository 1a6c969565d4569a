import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../tests/eventually'
import { FakeEventSource, logInAs, refusal, serve, server, ticketAnswer, url } from '../../tests/server'
import { reportReached, reportUnreachable } from './connectivity'
import { openStream } from './events'
import { currentSession, reload } from './session'

const PATH = '/api/users/u-1/times/stream'

serve()
beforeEach(() => {
  reload()
  logInAs()
  FakeEventSource.opened = []
  vi.stubGlobal('EventSource', FakeEventSource)
})
afterEach(() => {
  reportReached()
  vi.useRealTimers()
})

const opened = async (count: number) => {
  await eventually(() => expect(FakeEventSource.opened).toHaveLength(count))
  return FakeEventSource.opened[count - 1] as FakeEventSource
}

function open(random = () => 0) {
  const events: string[] = []
  const states: boolean[] = []
  const close = openStream({
    path: PATH,
    onEvent: event => events.push(event.type),
    onState: state => states.push(state),
    random,
  })
  return { events, states, close }
}

describe('an event stream', () => {
  it('is opened with a ticket for its path, never with the session’s token', async () => {
    let asked: unknown
    server.use(
      http.post(url('/api/tickets'), async ({ request }) => {
        asked = await request.json()
        return HttpResponse.json({ ticket: 'a/b', expiresIn: 30 })
      }),
    )
    const { close } = open()
    expect((await opened(1)).url).toBe(`${PATH}?token=a%2Fb`)
    expect(asked).toEqual({ path: PATH })
    close()
    expect(FakeEventSource.opened[0]?.closed).toBe(true)
  })

  it('has the page load again at each opening, and hands on what it is told', async () => {
    server.use(ticketAnswer())
    const { events, states, close } = open()
    const source = await opened(1)
    source.onopen?.()
    source.say({ type: 'times_update' })
    source.say('not json')
    source.say({ no: 'type' })
    expect(events).toEqual(['opened', 'times_update'])
    expect(states).toEqual([true])
    close()
  })

  it('takes a new ticket after a loss, later each time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    server.use(ticketAnswer())
    const { states, close } = open()
    for (const [count, pause] of [
      [1, 500],
      [2, 1_000],
      [3, 2_000],
    ] as const) {
      const source = await opened(count)
      source.onerror?.()
      expect(source.closed).toBe(true)
      await vi.advanceTimersByTimeAsync(pause - 1)
      expect(FakeEventSource.opened).toHaveLength(count)
      await vi.advanceTimersByTimeAsync(1)
    }
    const last = await opened(4)
    expect(last.url).toContain('ticket-4')
    expect(states).toEqual([false, false, false])
    close()
  })

  it('comes back at once when the service is reached again', async () => {
    server.use(ticketAnswer())
    const { close } = open(() => 1)
    ;(await opened(1)).onerror?.()
    reportUnreachable()
    reportReached()
    await opened(2)
    close()
  })

  it('sleeps while nobody looks, and wakes with the page', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    server.use(ticketAnswer())
    const visibility = vi.spyOn(document, 'visibilityState', 'get')
    const look = (state: DocumentVisibilityState) => {
      visibility.mockReturnValue(state)
      document.dispatchEvent(new Event('visibilitychange'))
    }
    const { states, close } = open()
    const source = await opened(1)
    source.onopen?.()
    look('hidden')
    await vi.advanceTimersByTimeAsync(59_999)
    look('visible')
    look('hidden')
    await vi.advanceTimersByTimeAsync(59_999)
    expect(source.closed).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(source.closed).toBe(true)
    expect(states).toEqual([true, false])
    reportUnreachable()
    look('visible')
    reportReached()
    expect((await opened(2)).url).toContain('ticket-2')
    close()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(FakeEventSource.opened).toHaveLength(2)
  })

  it('stays closed once it is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    server.use(ticketAnswer())
    const { close } = open()
    const source = await opened(1)
    close()
    source.onerror?.()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(FakeEventSource.opened).toHaveLength(1)
  })

  it('ends the session when the ticket is refused with 401', async () => {
    server.use(http.post(url('/api/tickets'), () => refusal(401, 'Nein.')))
    const { close } = open()
    await eventually(() => expect(currentSession()).toBeNull())
    expect(FakeEventSource.opened).toHaveLength(0)
    close()
  })
})
