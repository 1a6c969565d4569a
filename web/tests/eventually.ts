/** Waits for a check to hold, with patience for a machine that has other things to do. */
import { vi } from 'vitest'

export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 15_000 })
