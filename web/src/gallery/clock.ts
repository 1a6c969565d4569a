/** The gallery's clock stands still, or its pictures would be others every day. Imported before all else. */

/** 20 November 2026, ten past eleven in Berlin. */
export const NOW = Date.parse('2026-11-20T10:10:00Z')

globalThis.Date = class extends Date {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [NOW] : given) as [number]))
  }

  static override now() {
    return NOW
  }
} as DateConstructor
