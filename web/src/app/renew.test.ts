import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renew } from './renew'

class Worker extends EventTarget {
  state: ServiceWorkerState = 'installing'
  readonly told: unknown[] = []
  postMessage(message: unknown) {
    this.told.push(message)
    this.become('activated')
  }
  become(state: ServiceWorkerState) {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
}

describe('loading anew', () => {
  const reload = vi.fn()
  const withWorker = (registration: object | undefined) =>
    vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } })
  beforeEach(() => void reload.mockReset())

  it('is all where no worker keeps the app', async () => {
    withWorker(undefined)
    await renew(reload)
    vi.stubGlobal('navigator', {})
    await renew(reload)
    expect(reload).toHaveBeenCalledTimes(2)
  })

  it('is all where another tab has let the newest worker in', async () => {
    const update = vi.fn(async () => undefined)
    withWorker({ waiting: null, installing: null, update })
    await renew(reload)
    expect(update).toHaveBeenCalledOnce()
    expect(reload).toHaveBeenCalledOnce()
  })

  it('lets in the worker that waits, first', async () => {
    const waiting = new Worker()
    waiting.state = 'installed'
    withWorker({ waiting, installing: null })
    await renew(reload)
    expect(waiting.told).toEqual([{ type: 'SKIP_WAITING' }])
    expect(reload).toHaveBeenCalledOnce()
  })

  it('waits for one that is only found now', async () => {
    const installing = new Worker()
    withWorker({ waiting: null, installing, update: async () => undefined })
    const done = renew(reload)
    await Promise.resolve()
    expect(installing.told).toEqual([])
    installing.become('installed')
    await done
    expect(installing.told).toHaveLength(1)
    expect(reload).toHaveBeenCalledOnce()
  })

  it('does not wait for ever', async () => {
    vi.useFakeTimers()
    withWorker({ waiting: null, installing: null, update: () => new Promise(() => undefined) })
    const done = renew(reload)
    await vi.advanceTimersByTimeAsync(30_000)
    await done
    vi.useRealTimers()
    expect(reload).toHaveBeenCalledOnce()
  })
})
