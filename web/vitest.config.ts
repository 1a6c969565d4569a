/** Unit tests: jsdom, an IndexedDB in memory, no network but what a test lays out. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}', 'tests/**/*.test.{ts,tsx}'],
    setupFiles: ['tests/streams.ts', 'tests/setup.ts'],
    // More than anything in a test waits for: tests/eventually.ts.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    unstubGlobals: true,
    css: { modules: { classNameStrategy: 'non-scoped' } },
    // Each file has a scope of its own, in a process that stays.
    pool: 'vmForks',
    maxWorkers: 2,
  },
})
