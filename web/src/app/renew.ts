/** Reloads the page. If a worker caches the app, it is updated first. */

/** If the worker takes longer, the page reloads without waiting for it. */
const PATIENCE_MS = 30_000
const STEPS: readonly ServiceWorkerState[] = [
  'installing',
  'installed',
  'activating',
  'activated',
  'redundant',
]

export async function renew(reload = () => window.location.reload()): Promise<void> {
  const limit = new Promise(resolve => setTimeout(resolve, PATIENCE_MS))
  await Promise.race([renewWorker().catch(() => undefined), limit])
  reload()
}

async function renewWorker() {
  const worker = await navigator.serviceWorker?.getRegistration()
  if (worker === undefined) return
  if (worker.waiting === null) await worker.update()
  const next = worker.installing ?? worker.waiting
  // Without a waiting worker, another tab has already activated it.
  if (next === null) return
  await come(next, 'installed')
  next.postMessage({ type: 'SKIP_WAITING' })
  await come(next, 'activated')
}

function come(worker: ServiceWorker, step: ServiceWorkerState): Promise<void> {
  return new Promise(resolve => {
    const look = () => STEPS.indexOf(worker.state) >= STEPS.indexOf(step) && resolve()
    worker.addEventListener('statechange', look)
    look()
  })
}
