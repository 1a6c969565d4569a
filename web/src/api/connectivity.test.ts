import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isReachable, reportFailed, reportReached, reportUnreachable, subscribe } from './connectivity'

let well = true
let probeCount = 0
let begin = Date.now()

beforeEach(() => {
  // Long after all previous tests.
  begin += 3_600_000
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: begin })
  reportReached()
  well = true
  probeCount = 0
  vi.spyOn(globalThis, 'fetch').mockImplementation(async address => {
    expect(address).toBe('/api/health')
    probeCount += 1
    return new Response(null, { status: well ? 200 : 503 })
  })
})
afterEach(() => {
  reportReached()
})

/** Returns how long it takes until the next probe. */
async function pauseUntilAsked(): Promise<number> {
  const countBefore = probeCount
  let passed = 0
  for (; probeCount === countBefore && passed < 60_000; passed += 500) await vi.advanceTimersByTimeAsync(500)
  return passed
}

const settlePromises = () => vi.advanceTimersByTimeAsync(0)

describe('a call that fails', () => {
  it('while the service is well takes nobody’s page away', async () => {
    const changes = vi.fn()
    const stop = subscribe(changes)
    for (let call = 1; call <= 3; call += 1) {
      reportFailed()
      await settlePromises()
      expect(probeCount).toBe(call)
    }
    stop()
    expect(changes).not.toHaveBeenCalled()
  })

  it('while the service is not well either means that it is out of reach', async () => {
    well = false
    reportFailed()
    expect(isReachable()).toBe(true)
    await settlePromises()
    expect(isReachable()).toBe(false)
  })

  it('beside others asks once', async () => {
    reportFailed()
    reportFailed()
    await settlePromises()
    expect(probeCount).toBe(1)
  })

  it('before another that is answered means nothing any more', async () => {
    well = false
    reportFailed()
    reportReached()
    await settlePromises()
    expect(isReachable()).toBe(true)
  })
})

describe('a service out of reach', () => {
  beforeEach(() => {
    well = false
  })

  it('is asked ever less often, also when it was there for a moment', async () => {
    reportUnreachable()
    expect(await pauseUntilAsked()).toBe(2_000)
    expect(await pauseUntilAsked()).toBe(4_000)
    reportReached()
    reportUnreachable()
    expect(await pauseUntilAsked()).toBe(16_000)
  })

  it('that was there for a minute is asked soon again', async () => {
    reportUnreachable()
    await pauseUntilAsked()
    reportReached()
    await vi.advanceTimersByTimeAsync(60_000)
    reportUnreachable()
    expect(await pauseUntilAsked()).toBe(2_000)
  })
})
