/**
 * The present moment: the only source of now, today and this month. `app/queries.ts` sets it to the service's clock, since a
 * device's own may be wrong. `tests/sources.test.ts` lists who may read the device's clock.
 */
let clock = () => Date.now()

export const now = () => new Date(clock())

/** Replaces the clock; `read` returns milliseconds. */
export function setClock(read: () => number) {
  clock = read
}
