/** Waits for a check to hold, with patience for a machine that has other things to do. */
import { vi } from 'vitest'

/** No machine is so busy: below a test's own patience, so that it says what it waited for. */
export const PATIENCE_MS = 60_000

export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: PATIENCE_MS })
