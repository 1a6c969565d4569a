import { expect, it, vi } from 'vitest'
import { resubscribe } from './subscriptionChange'

const KEY = new Uint8Array([4, 1, 2]).buffer
const ENDED = { options: { applicationServerKey: KEY, userVisibleOnly: true } } as PushSubscription

function worker(subscribe = vi.fn(async () => ENDED)) {
  const page = { postMessage: vi.fn() }
  const parts = { registration: { pushManager: { subscribe } }, clients: { matchAll: async () => [page] } }
  return { page, subscribe, worker: parts as unknown as Parameters<typeof resubscribe>[0] }
}

it('subscribes to the same key and has the open page tell the service', async () => {
  const setup = worker()
  await resubscribe(setup.worker, { oldSubscription: ENDED })
  expect(setup.subscribe.mock.calls).toEqual([[{ userVisibleOnly: true, applicationServerKey: KEY }]])
  expect(setup.page.postMessage.mock.calls).toEqual([[{ type: 'PUSH_CHANGED' }]])
})

it.each([{ oldSubscription: null }, {}, { oldSubscription: ENDED, newSubscription: ENDED }])(
  'leaves the subscription to the page or the browser: %o',
  async change => {
    const setup = worker()
    await resubscribe(setup.worker, change)
    expect(setup.subscribe).not.toHaveBeenCalled()
    expect(setup.page.postMessage).toHaveBeenCalledOnce()
  },
)

it('has the page tell the service also where the push service is out of reach', async () => {
  const setup = worker(vi.fn(async () => Promise.reject(new DOMException('none', 'AbortError'))))
  await resubscribe(setup.worker, { oldSubscription: ENDED })
  expect(setup.page.postMessage).toHaveBeenCalledOnce()
})
