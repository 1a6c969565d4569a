/** What the service worker does when a browser's push service has ended or replaced its subscription. */
export interface SubscriptionChange {
  oldSubscription?: PushSubscription | null
  newSubscription?: PushSubscription | null
}

type Worker = Pick<ServiceWorkerGlobalScope, 'clients' | 'registration'>

/**
 * Subscribes anew to the same key. A page tells the service, for only that has a session: one that is open, or else the
 * next start, which also mends what failed here.
 */
export async function subscribeAnew(worker: Worker, change: SubscriptionChange): Promise<void> {
  const key = change.oldSubscription?.options?.applicationServerKey
  if (key && !change.newSubscription) {
    await worker.registration.pushManager
      .subscribe({ userVisibleOnly: true, applicationServerKey: key })
      .catch(() => undefined)
  }
  for (const page of await worker.clients.matchAll({ type: 'window' }))
    page.postMessage({ type: 'PUSH_CHANGED' })
}
