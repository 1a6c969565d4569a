/** A headline that types itself: forward, a pause, backward, the next phrase, in a loop. Times in milliseconds. */

/** For each character, plus or minus the jitter. */
export const PER_CHARACTER_MS = 50
export const JITTER_MS = 50
export const LEAST_MS = 10
/** The pause after a phrase. */
export const PAUSE_MS = 3_000

export interface Typing {
  phrase: number
  /** The number of visible characters. */
  shown: number
  backward: boolean
}

/** Starts with a complete phrase. */
export const standing = (phrases: readonly string[]): Typing => ({
  phrase: 0,
  shown: length(phrases, 0),
  backward: false,
})

const length = (phrases: readonly string[], phrase: number) => phrases[phrase]?.length ?? 0

/** The next state. */
export function next(phrases: readonly string[], { phrase, shown, backward }: Typing): Typing {
  if (!backward) {
    return shown < length(phrases, phrase)
      ? { phrase, shown: shown + 1, backward }
      : { phrase, shown: shown - 1, backward: true }
  }
  return shown > 0
    ? { phrase, shown: shown - 1, backward }
    : { phrase: (phrase + 1) % phrases.length, shown: 1, backward: false }
}

/** The time until the next state. `chance` is from 0 up to 1, and sets the jitter. */
export function staysMs(phrases: readonly string[], { phrase, shown, backward }: Typing, chance: number) {
  if (!backward && shown === length(phrases, phrase)) return PAUSE_MS
  return Math.max(LEAST_MS, PER_CHARACTER_MS + (chance * 2 - 1) * JITTER_MS)
}
