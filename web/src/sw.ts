/**
 * The app's service worker: serves the app from the cache, so that it opens without a connection. It answers nothing of
 * `/api`: the pages store the last answers themselves, in IndexedDB, by user. It calls the service at installation for
 * the keys of statements, and for one more case: an offline logout ends its session when the browser wakes the worker.
 * A push message has no content, so its notification has none either.
 */
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { resubscribe, type SubscriptionChange } from './api/subscriptionChange'
import { texts } from './api/texts'
import { endSession, hashOf, isToSend } from './api/wake'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] }

precacheAndRoute(self.__WB_MANIFEST)
cleanupOutdatedCaches()
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), {
    // Files stay files, also when opened directly.
    denylist: [/^\/api\//, /^\/\.well-known\//, /\.[a-z]+$/],
  }),
)

// Parts outside the employee's precache are cached on first use; file names identify versions, and a new worker starts
// with an empty cache.
const PARTS = 'parts'
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && /^\/assets\/[^/]+\.(js|css)$/.test(url.pathname),
  async ({ request }) => {
    const cache = await caches.open(PARTS)
    const cached = await cache.match(request)
    if (cached !== undefined) return cached
    const answer = await fetch(request)
    // An HTML page instead of a part is not cached.
    const isPart = answer.ok && !answer.headers.get('Content-Type')?.startsWith('text/html')
    if (isPart) await cache.put(request, answer.clone()).catch(() => undefined)
    return answer
  },
)

// So that a statement can be checked without a network by who has never opened that page; not worth failing for.
const KEYS = '/.well-known/stempelwerk-keys.json'
self.addEventListener('install', event =>
  event.waitUntil(
    caches
      .open('statement-keys')
      .then(cache => cache.add(KEYS))
      .catch(() => undefined),
  ),
)

self.addEventListener('message', event => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting()
})

self.addEventListener('sync', event => {
  const waking = event as ExtendableEvent & { tag: string }
  const hash = hashOf(waking.tag)
  if (hash !== null) waking.waitUntil(endSession(hash))
  if (isToSend(waking.tag)) waking.waitUntil(wakePages())
})

async function wakePages() {
  for (const page of await self.clients.matchAll({ type: 'window' })) page.postMessage({ type: 'SEND' })
}

const MESSAGES = '/dashboard?tab=my_messages'

self.addEventListener('push', event => {
  // One notice, however many pushes.
  const look = { tag: 'message', icon: '/icon-192.png', badge: '/badge-96.png', lang: 'de' }
  event.waitUntil(self.registration.showNotification(texts.newMessage, look))
})

self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(showMessages())
})

/** In an open app: the app navigates itself, and asks first if input would be lost. */
async function showMessages() {
  const [page] = await self.clients.matchAll({ type: 'window' })
  const focusedPage = await page?.focus().catch(() => undefined)
  if (focusedPage === undefined) await self.clients.openWindow(MESSAGES)
  else focusedPage.postMessage({ type: 'MESSAGES' })
}

self.addEventListener('pushsubscriptionchange', event => {
  const change = event as ExtendableEvent & SubscriptionChange
  change.waitUntil(resubscribe(self, change))
})

// The first worker takes the page that installed it, so that it can be read offline right away.
self.addEventListener('activate', event => {
  event.waitUntil(caches.delete(PARTS))
  event.waitUntil(self.clients.claim())
})
