/** A test's own clock for one kind of timer, while everything else goes on. */
import { vi } from 'vitest'

/** Lets no timer of so many milliseconds run by itself. `pending` are those that were set, for the test to run. */
export function holdTimers(held: number) {
  const set = globalThis.setTimeout
  const pending: (() => void)[] = []
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    run: () => void,
    ms?: number,
    ...rest: unknown[]
  ) => {
    if (ms !== held) return set(run, ms, ...rest)
    pending.push(run)
    return 0
  }) as typeof setTimeout)
  return pending
}
