/** Freezes the gallery's clock, so that its pictures stay the same. Imported before everything else. */

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
