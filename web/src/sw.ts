/**
 * The app's service worker: the app itself from the cache, so that it opens without a connection.
 *
 * It answers nothing of `/api`: what was read last is kept by the pages, in IndexedDB, by user. It calls the service
 * for one thing: a session that was left without a network ends when the browser wakes the worker.
 */
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { endSession, hashOf } from './api/wake'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] }

precacheAndRoute(self.__WB_MANIFEST)
cleanupOutdatedCaches()
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: [/^\/api\//] }))

self.addEventListener('message', event => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting()
})

self.addEventListener('sync', event => {
  const waking = event as ExtendableEvent & { tag: string }
  const hash = hashOf(waking.tag)
  if (hash !== null) waking.waitUntil(endSession(hash))
})

// The first worker takes the page that installed it, so that it can be read offline right away.
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))
