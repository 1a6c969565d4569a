/** What jsdom lacks and every test needs; each test starts with empty storage and nobody logged in. */
import 'fake-indexeddb/auto'
import { cleanup, configure } from '@testing-library/react'
import * as React from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import { PATIENCE_MS } from './eventually'

if (typeof window.matchMedia !== 'function') {
  window.matchMedia = query =>
    ({
      matches: false,
      media: query,
      onchange: null,
      addEventListener() {},
      removeEventListener() {},
      addListener() {},
      removeListener() {},
      dispatchEvent: () => false,
    }) as MediaQueryList
}
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

globalThis.IntersectionObserver ??= class {
  observe() {}
  disconnect() {}
} as unknown as typeof IntersectionObserver

Element.prototype.scrollIntoView ??= () => undefined
window.scrollTo = () => undefined

// React writes down for its developer tools where each element was made: a seventh of all the work, and no test reads it.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as object as {
  __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: object
}
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Number.POSITIVE_INFINITY,
  set() {},
})

configure({ asyncUtilTimeout: PATIENCE_MS })

beforeEach(() => localStorage.clear())
afterEach(cleanup)
// Also after a test that failed before its own end: the next one would wait for ever.
afterEach(() => void vi.useRealTimers())
