/** What jsdom lacks and every test needs; each test starts with empty storage and nobody logged in. */
import 'fake-indexeddb/auto'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'

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

configure({ asyncUtilTimeout: 15_000 })

beforeEach(() => localStorage.clear())
afterEach(cleanup)
