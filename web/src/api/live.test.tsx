import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Connection, type Events, layEvents } from '../../tests/events'
import { MIA } from '../../tests/server'
import { layTabs, openTab, takeLocks } from '../../tests/tabs'

const OTHER_SESSION = { ...MIA, token: 'token-2', userId: 'u-2', username: 'Jan Winter' }
const HOUR_MS = 3_600_000

type Tab = Awaited<ReturnType<typeof openTab>>

let events: Events
let messages: readonly unknown[]
let tabs: Tab[] = []

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.spyOn(Math, 'random').mockReturnValue(0)
  vi.stubGlobal('fetch', async () => new Response(null, { status: 200 })) // the service is well
  events = layEvents()
  messages = layTabs()
})
afterEach(() => {
  for (const { session } of tabs) session.end('logout')
  tabs = []
  takeLocks()
})

const settlePromises = () => vi.advanceTimersByTimeAsync(0)
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

/** A tab with a session. */
async function tab(session = MIA): Promise<Tab> {
  const openedTab = await openTab()
  tabs.push(openedTab)
  openedTab.session.begin(session)
  return openedTab
}

/** Listens in a tab, and records the events. */
function listenIn({ live }: Tab) {
  const heard: string[] = []
  const states: boolean[] = []
  const stop = live.listen(
    event => heard.push(event.type),
    open => states.push(open),
  )
  return { heard, states, stop }
}

async function listener(session = MIA) {
  const openedTab = await tab(session)
  const listening = listenIn(openedTab)
  await settlePromises()
  return { ...openedTab, ...listening }
}

const last = () => events.opened.at(-1) as Connection

function look(state: DocumentVisibilityState) {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

describe('one tab', () => {
  it('brings its token in a header and in no address', async () => {
    await listener()
    expect(events.asked).toEqual([`${window.location.origin}/api/events`])
    expect(last().token).toBe('Bearer token-1')
  })

  it('loads again at each opening, and hands on what it is told', async () => {
    const { heard, states } = await listener()
    last().say({ type: 'times_update' })
    last().write('data: {"type":')
    last().write('"late"}\n\n')
    last().say('not json')
    last().say({ no: 'type' })
    await settlePromises()
    expect(heard).toEqual(['opened', 'times_update', 'late'])
    expect(states).toEqual([true])
  })

  it('loads again when the service says that something was missed', async () => {
    const { heard } = await listener()
    last().say({ type: 'catch_up' })
    await settlePromises()
    expect(heard).toEqual(['opened', 'opened'])
  })

  it('has one connection for all who listen in it, and late ones know at once that it is open', async () => {
    const first = await listener()
    const second = listenIn(first)
    expect([second.states, second.heard]).toEqual([[true], []])
    last().say({ type: 'times_update' })
    await settlePromises()
    expect([first.heard, second.heard]).toEqual([['opened', 'times_update'], ['times_update']])
    second.stop()
    last().say({ type: 'times_update' })
    await settlePromises()
    expect([first.heard.length, second.heard.length]).toEqual([3, 1])
    expect(events.opened).toHaveLength(1)
  })

  it('keeps the connection for the page that follows, and closes it if none does', async () => {
    const first = await listener()
    first.stop()
    await pass(500)
    const second = listenIn(first)
    await pass(HOUR_MS / 100)
    expect(events.opened).toHaveLength(1)
    second.stop()
    await pass(1_000)
    expect(last().closed).toBe(true)
    expect([...first.states, ...second.states]).toEqual([true, true])
    await pass(HOUR_MS)
    expect(events.opened).toHaveLength(1)
  })

  it('asks for nothing without a session, begins with one, and ends with it', async () => {
    const openedTab = await openTab()
    tabs.push(openedTab)
    const { heard, states } = listenIn(openedTab)
    await settlePromises()
    expect(events.asked).toEqual([])
    openedTab.session.begin(MIA)
    await settlePromises()
    openedTab.session.end('logout')
    await settlePromises()
    expect(last().closed).toBe(true)
    expect(states).toEqual([true, false])
    openedTab.session.begin(OTHER_SESSION)
    await settlePromises()
    expect(last().token).toBe('Bearer token-2')
    expect(heard).toEqual(['opened', 'opened'])
  })

  it('reads by itself where the browser has no locks', async () => {
    takeLocks()
    const [first, second] = [await listener(), await listener()]
    expect(events.open).toHaveLength(2)
    events.open[0]?.say({ type: 'times_update' })
    await settlePromises()
    expect([first.heard.length, second.heard.length]).toEqual([2, 1])
    expect(messages).toEqual([])
  })

  it('reads by itself where the browser forbids locks or channels', async () => {
    vi.spyOn(navigator.locks, 'request').mockRejectedValue(new DOMException('forbidden', 'SecurityError'))
    const first = await listener()
    vi.stubGlobal('BroadcastChannel', undefined)
    const second = await listener()
    expect(events.open).toHaveLength(2)
    expect([first.heard, second.heard]).toEqual([['opened'], ['opened']])
  })
})

describe('a connection that is lost', () => {
  it('is opened again, later each time', async () => {
    const { states } = await listener()
    for (const pause of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      const openedBefore = events.opened.length
      last().breakOff()
      await pass(pause - 1)
      expect(events.opened).toHaveLength(openedBefore)
      await pass(1)
      expect(events.opened).toHaveLength(openedBefore + 1)
    }
    expect(states.slice(0, 3)).toEqual([true, false, true])
  })

  it('that was open for a while is opened again soon', async () => {
    await listener()
    for (let round = 1; round <= 3; round += 1) {
      await pass(20_000)
      last().end()
      await pass(500)
      expect(events.opened).toHaveLength(round + 1)
    }
  })

  it('is opened at once when the service is found, and not before', async () => {
    const { heard, connectivity } = await listener()
    connectivity.reportUnreachable()
    await settlePromises()
    expect(last().closed).toBe(true)
    await pass(1_900)
    expect(events.opened).toHaveLength(1)
    connectivity.reportReached()
    await settlePromises()
    expect(events.opened).toHaveLength(2)
    expect(heard).toEqual(['opened', 'opened'])
  })

  it('is given up when not even a beat comes', async () => {
    const { states } = await listener()
    for (let beat = 1; beat <= 6; beat += 1) {
      await pass(44_000)
      last().write(': still here\n\n')
      await settlePromises()
    }
    expect(events.opened).toHaveLength(1)
    await pass(45_000)
    expect(last().closed).toBe(true)
    expect(states).toEqual([true, false])
    await pass(500)
    expect(events.open).toHaveLength(1)
  })

  it('is asked for again when no answer comes for a while', async () => {
    events.refusals.push(() => new Promise<Response>(() => undefined))
    const { states } = await listener()
    await pass(15_499)
    expect(events.asked).toHaveLength(1)
    await pass(1)
    expect(events.asked).toHaveLength(2)
    expect(states).toEqual([true])
  })
})

const refused = (status: number, headers: Record<string, string> = {}) =>
  events.refusals.push(() => new Response(null, { status, headers }))

describe('a refusal', () => {
  it('of the session ends it', async () => {
    refused(401)
    const { session, states } = await listener()
    expect(session.currentSession()).toBeNull()
    expect(states).toEqual([])
    await pass(HOUR_MS)
    expect(events.asked).toHaveLength(1)
  })

  it('of an earlier session leaves the present one alone', async () => {
    let answer: (response: Response) => void = () => undefined
    events.refusals.push(
      () =>
        new Promise<Response>(resolve => {
          answer = resolve
        }),
    )
    const { session } = await listener()
    session.begin(OTHER_SESSION)
    answer(new Response(null, { status: 401 }))
    await settlePromises()
    expect(session.currentSession()).toEqual(OTHER_SESSION)
    expect(events.open).toHaveLength(1)
  })

  it.each([403, 404])('with %i is final', async status => {
    refused(status)
    const { session, connectivity } = await listener()
    await pass(HOUR_MS)
    connectivity.reportUnreachable()
    connectivity.reportReached()
    await settlePromises()
    expect(events.asked).toHaveLength(1)
    expect(session.currentSession()).toEqual(MIA)
  })

  it.each([429, 503])('with %i is left alone for as long as it says', async status => {
    refused(status, { 'Retry-After': '30' })
    const { connectivity } = await listener()
    connectivity.reportReached()
    connectivity.reportUnreachable()
    connectivity.reportReached()
    await pass(30_400)
    expect(events.asked).toHaveLength(1)
    await pass(100)
    expect(events.open).toHaveLength(1)
  })

  it('that is no stream at all is asked again', async () => {
    events.refusals.push(() => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }))
    const { states } = await listener()
    expect(states).toEqual([])
    await pass(500)
    expect(states).toEqual([true])
  })
})

describe('several tabs', () => {
  it('of one session have one connection, and hear the same', async () => {
    const all = [await listener(), await listener(), await listener()]
    expect(events.asked).toHaveLength(1)
    last().say({ type: 'times_update' })
    last().say({ type: 'catch_up' })
    await settlePromises()
    for (const { heard, states } of all) {
      expect(heard).toEqual(['opened', 'times_update', 'opened'])
      expect(states).toEqual([true])
    }
  })

  it('know when the connection is lost and opened again', async () => {
    const [first, second] = [await listener(), await listener()]
    last().breakOff()
    await pass(500)
    for (const { heard, states } of [first, second]) {
      expect(states).toEqual([true, false, true])
      expect(heard).toEqual(['opened', 'opened'])
    }
  })

  it('hand over when the one that reads stops listening', async () => {
    const [first, second] = [await listener(), await listener()]
    first.stop()
    await pass(1_000)
    expect(events.opened.map(({ closed }) => closed)).toEqual([true, false])
    last().say({ type: 'times_update' })
    await settlePromises()
    expect(second.heard).toEqual(['opened', 'opened', 'times_update'])
    expect(second.states).toEqual([true])
    expect(first.heard).toEqual(['opened'])
  })

  it('of two sessions hear nothing of each other', async () => {
    const [mia, jan] = [await listener(), await listener(OTHER_SESSION)]
    expect(events.open.map(({ token }) => token)).toEqual(['Bearer token-1', 'Bearer token-2'])
    events.open[1]?.say({ type: 'times_update' })
    await settlePromises()
    expect(mia.heard).toEqual(['opened'])
    expect(jan.heard).toEqual(['opened', 'times_update'])
  })

  it('tell each other no token', async () => {
    await listener()
    await listener()
    last().say({ type: 'times_update' })
    await settlePromises()
    expect(messages.length).toBeGreaterThan(4)
    expect(JSON.stringify(messages)).not.toContain(MIA.token)
  })

  it('know when the one that takes over is refused', async () => {
    const [first, second] = [await listener(), await listener()]
    refused(403)
    first.stop()
    await pass(1_000)
    expect(second.states).toEqual([true, false])
  })

  it('do not read on where the session was refused', async () => {
    refused(403)
    const [first, second] = [await listener(), await listener()]
    await pass(HOUR_MS)
    expect(events.asked).toHaveLength(1)
    expect([first.states, second.states]).toEqual([[], []])
  })
})

describe('a tab that nobody looks at', () => {
  /** Lets time pass while the service sends heartbeats. */
  async function beats(milliseconds: number) {
    for (let remaining = milliseconds; remaining > 0; remaining -= 15_000) {
      await pass(Math.min(remaining, 15_000))
      if (!last().closed) last().write(': still here\n\n')
    }
  }

  it('lets go after a minute, and loads again when it is shown', async () => {
    const { heard, states } = await listener()
    look('hidden')
    await beats(59_999)
    look('visible')
    look('hidden')
    await beats(59_999)
    expect(last().closed).toBe(false)
    await pass(1)
    expect(last().closed).toBe(true)
    expect(states).toEqual([true, false])
    await pass(HOUR_MS)
    expect(events.opened).toHaveLength(1)
    look('visible')
    await settlePromises()
    expect(states).toEqual([true, false, true])
    expect(heard).toEqual(['opened', 'opened'])
  })

  it('lets go at once when the browser sets it aside', async () => {
    const { states } = await listener()
    window.dispatchEvent(new Event('pagehide'))
    expect(last().closed).toBe(true)
    window.dispatchEvent(new Event('pageshow'))
    await settlePromises()
    expect(states).toEqual([true, false, true])
  })
})
