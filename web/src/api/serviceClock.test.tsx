import { beforeEach, describe, expect, it, vi } from 'vitest'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The service's time at the start of each test: a Friday morning in Berlin. */
const SERVICE = Date.parse('2026-11-20T10:10:00Z')

/** How far the device's clock really is ahead of the service's, in milliseconds. */
let truth = 0
let headers: () => Record<string, string>
/** Milliseconds that an answer takes, half of them on its way back. */
let slow = 0

/** The device's clock shows this much more than the service's. */
function setDevice(ahead: number) {
  vi.setSystemTime(Date.now() - truth + ahead)
  truth = ahead
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: SERVICE })
  truth = 0
  slow = 0
  headers = () => ({ Date: new Date(Date.now() - truth).toUTCString() })
  vi.stubGlobal('fetch', async () => {
    vi.advanceTimersByTime(slow / 2)
    const answered = headers()
    vi.advanceTimersByTime(slow / 2)
    return new Response('{}', { headers: answered })
  })
})

/** A page that has just been loaded. */
async function load() {
  vi.resetModules()
  const clock = await import('./serviceClock')
  const { api } = await import('./client')
  const { setClock } = await import('../ui/now')
  const { currentDay } = await import('../ui/days')
  const { currentMonth } = await import('../ui/months')
  setClock(clock.serviceNow)
  const ask = () => api.GET('/api/health')
  return { ...clock, ask, currentDay, currentMonth }
}

const real = () => Date.now() - truth

describe('a device whose clock is wrong', () => {
  it('months ahead shows this month once the service has answered', async () => {
    setDevice(75 * DAY)
    const { ask, currentMonth, clockAhead } = await load()
    expect(currentMonth()).toBe('2027-02')
    await ask()
    expect(currentMonth()).toBe('2026-11')
    expect(Math.abs(clockAhead() - 75 * DAY)).toBeLessThan(1_000)
  })

  it('a day behind shows the right day, and goes on with the time', async () => {
    setDevice(-DAY)
    const { ask, currentDay, serviceNow } = await load()
    await ask()
    expect(currentDay()).toBe('2026-11-20')
    vi.advanceTimersByTime(14 * HOUR)
    expect(currentDay()).toBe('2026-11-21')
    expect(Math.abs(serviceNow() - real())).toBeLessThan(1_000)
  })

  it.each([119_000, -119_000, 0])('by %i ms is none', async ahead => {
    setDevice(ahead)
    const { ask, clockAhead, serviceNow } = await load()
    await ask()
    expect(clockAhead()).toBe(0)
    expect(serviceNow()).toBe(Date.now())
  })

  it('is known to the second on a slow way there and back', async () => {
    setDevice(3 * HOUR)
    slow = 20_000
    const { ask, serviceNow } = await load()
    await ask()
    expect(Math.abs(serviceNow() - real())).toBeLessThan(1_000)
  })

  it('is reckoned by the local day, at the end of summer time too', async () => {
    vi.setSystemTime(Date.parse('2026-10-24T22:30:00Z'))
    setDevice(-HOUR)
    const { ask, currentDay } = await load()
    expect(currentDay()).toBe('2026-10-24')
    await ask()
    expect(currentDay()).toBe('2026-10-25')
    vi.advanceTimersByTime(24 * HOUR)
    expect(currentDay()).toBe('2026-10-25')
    vi.advanceTimersByTime(HOUR)
    expect(currentDay()).toBe('2026-10-26')
  })

  it('is reckoned by the local day on the one that has 23 hours', async () => {
    vi.setSystemTime(Date.parse('2027-03-27T23:30:00Z'))
    setDevice(2 * HOUR)
    const { ask, currentDay } = await load()
    await ask()
    expect(currentDay()).toBe('2027-03-28')
    vi.advanceTimersByTime(22 * HOUR)
    expect(currentDay()).toBe('2027-03-28')
    vi.advanceTimersByTime(HOUR)
    expect(currentDay()).toBe('2027-03-29')
  })
})

describe('an answer', () => {
  it.each([
    ['without a date', () => ({})],
    ['with a date that is none', () => ({ Date: 'gestern' })],
    ['with an empty date', () => ({ Date: '' })],
    ['of 1970', () => ({ Date: 'Thu, 01 Jan 1970 00:00:00 GMT' })],
    ['of a cache', () => ({ Date: new Date(SERVICE - DAY).toUTCString(), Age: '86400' })],
  ])('%s says nothing of the time', async (_, answered: () => Record<string, string>) => {
    headers = answered
    const { ask, clockAhead, serviceNow } = await load()
    await ask()
    expect(clockAhead()).toBe(0)
    expect(serviceNow()).toBe(Date.now())
    expect(localStorage).toHaveLength(0)
  })

  it('without a date leaves what is known', async () => {
    setDevice(DAY)
    const { ask, currentDay } = await load()
    await ask()
    headers = () => ({})
    await ask()
    expect(currentDay()).toBe('2026-11-20')
  })

  it('that took more than half a minute says nothing of the time', async () => {
    setDevice(3 * HOUR)
    slow = 40_000
    const { ask, clockAhead } = await load()
    await ask()
    expect(clockAhead()).toBe(0)
  })

  it('that does not come says nothing of the time', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch')
    })
    const { ask, clockAhead } = await load()
    await expect(ask()).rejects.toThrow()
    expect(clockAhead()).toBe(0)
  })

  it('tells those who listen once, not at every one', async () => {
    setDevice(3 * HOUR)
    const { ask, onClock } = await load()
    const listener = vi.fn()
    const stop = onClock(listener)
    for (const wait of [0, 300, 5_000]) {
      slow = wait
      await ask()
    }
    expect(listener).toHaveBeenCalledTimes(1)
    stop()
    setDevice(0)
    await ask()
    expect(listener).toHaveBeenCalledTimes(1)
  })
})

describe('a clock that is set while the page is open', () => {
  it('is noticed when it is set back, without an answer', async () => {
    const { ask, currentDay, clockAhead } = await load()
    await ask()
    vi.advanceTimersByTime(HOUR)
    setDevice(-3 * DAY)
    expect(currentDay()).toBe('2026-11-20')
    expect(Math.abs(clockAhead() + 3 * DAY)).toBeLessThan(1_000)
  })

  it.each([75 * DAY, -DAY])('is noticed when it is put right from %i ms, without an answer', async ahead => {
    setDevice(ahead)
    const { ask, onClock, serviceNow, clockAhead } = await load()
    await ask()
    const listener = vi.fn()
    onClock(listener)
    vi.advanceTimersByTime(HOUR)
    setDevice(0)
    expect(serviceNow()).toBe(Date.now())
    expect(clockAhead()).toBe(0)
    await Promise.resolve()
    expect(listener).toHaveBeenCalledTimes(1)
    expect(localStorage).toHaveLength(0)
  })

  it('is right again with the next answer', async () => {
    setDevice(75 * DAY)
    const { ask, currentMonth, clockAhead } = await load()
    await ask()
    setDevice(0)
    await ask()
    expect(clockAhead()).toBe(0)
    expect(currentMonth()).toBe('2026-11')
  })

  it('is not taken for one when the device has slept, while the page counted nothing', async () => {
    setDevice(-DAY)
    const { ask, serviceNow } = await load()
    await ask()
    vi.setSystemTime(Date.now() + 9 * HOUR)
    expect(Math.abs(serviceNow() - real())).toBeLessThan(1_000)
  })
})

describe('a start without a connection', () => {
  /** Opens a page online, then lets `closed` milliseconds pass. */
  async function lastSeen(ahead: number, closed: number) {
    setDevice(ahead)
    const { ask } = await load()
    await ask()
    vi.advanceTimersByTime(closed)
  }

  it('knows what the last page knew', async () => {
    await lastSeen(75 * DAY, 5 * DAY)
    const { currentDay } = await load()
    expect(currentDay()).toBe('2026-11-25')
  })

  it('knows it of a clock that is behind', async () => {
    await lastSeen(-3 * DAY, DAY)
    const { currentDay } = await load()
    expect(currentDay()).toBe('2026-11-21')
  })

  it.each([
    ['ahead', 75 * DAY],
    ['behind', -3 * DAY],
  ])('takes a clock that was %s and has been put right as it is', async (_, ahead) => {
    await lastSeen(ahead, DAY)
    setDevice(0)
    const { serviceNow, clockAhead } = await load()
    expect(serviceNow()).toBe(Date.now())
    expect(clockAhead()).toBe(0)
  })

  it('takes the clock as it is once more time has passed than it was wrong by', async () => {
    await lastSeen(3 * HOUR, 4 * HOUR)
    const { serviceNow } = await load()
    expect(serviceNow()).toBe(Date.now())
  })

  it.each(['', 'null', '7', '{"ahead":"x"}', '{', '{"ahead":1e15}'])(
    'takes the clock as it is where %j was kept',
    async kept => {
      localStorage.setItem('clock', kept)
      const { serviceNow } = await load()
      expect(serviceNow()).toBe(Date.now())
    },
  )

  it('takes the clock as it is where the browser forbids storage', async () => {
    setDevice(DAY)
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new Error('forbidden')
    })
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('forbidden')
    })
    const { ask, currentDay } = await load()
    expect(currentDay()).toBe('2026-11-21')
    await ask()
    expect(currentDay()).toBe('2026-11-20')
  })
})
