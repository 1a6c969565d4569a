/**
 * Unit tests: `.test.tsx` has jsdom, an IndexedDB in memory, and no network but what a test lays out; `.test.ts` is of
 * what needs no page, and making one costs more than most of these do.
 */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'page',
          environment: 'jsdom',
          include: ['{src,tests}/**/*.test.tsx'],
          setupFiles: ['tests/streams.ts', 'tests/setup.ts'],
        },
      },
      { extends: true, test: { name: 'pure', include: ['{src,tests}/**/*.test.ts'] } },
    ],
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
