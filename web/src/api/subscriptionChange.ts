/** The service worker's reaction when a browser's push service has ended or replaced its subscription. */
export interface SubscriptionChange {
  oldSubscription?: PushSubscription | null
  newSubscription?: PushSubscription | null
}

type Worker = Pick<ServiceWorkerGlobalScope, 'clients' | 'registration'>

/**
 * Subscribes again to the same key. A page registers it with the service, since only a page has the session: an open
 * one, or else the next start, which also repairs a failure here.
 */
export async function resubscribe(worker: Worker, change: SubscriptionChange): Promise<void> {
  const key = change.oldSubscription?.options?.applicationServerKey
  if (key && !change.newSubscription) {
    await worker.registration.pushManager
      .subscribe({ userVisibleOnly: true, applicationServerKey: key })
      .catch(() => undefined)
  }
  for (const page of await worker.clients.matchAll({ type: 'window' }))
    page.postMessage({ type: 'PUSH_CHANGED' })
}
