/**
 * Normalises typed or pasted tag identifiers, into the spelling that every part of the product stores. Firmware, clock
 * and service have the same function in their own languages, tested with the same vectors. It knows neither assigned
 * tags nor reserved words.
 */

export type TagRefusal = 'empty' | 'character' | 'too_long' | 'length'

export type NormalisedTag = { tag: string } | { refused: TagRefusal }

const SEPARATORS = /[ \t\n\v\f\r\u00a0:-]/g
const ALLOWED = /^[A-Za-z0-9._]+$/
const HEXADECIMAL = /^[0-9A-F]+$/
const MAX_CHARACTERS = 64
const CHIP_DIGITS = new Set([8, 14, 20])
const UNREADABLE = /^[08]8[0-9A-F]{6}$/

/** Without separators, in upper case; text of only hexadecimal digits is a chip's number of 4, 7 or 10 bytes. */
export function normaliseTag(text: string): NormalisedTag {
  const bare = text.replace(SEPARATORS, '')
  if (bare === '') return { refused: 'empty' }
  if (!ALLOWED.test(bare)) return { refused: 'character' }
  if (bare.length > MAX_CHARACTERS) return { refused: 'too_long' }
  const tag = bare.toUpperCase()
  return HEXADECIMAL.test(tag) && !CHIP_DIGITS.has(tag.length) ? { refused: 'length' } : { tag }
}

/** Whether no clock accepts this tag: four random bytes (08…), or the start of a longer number (88…). */
export const isUnreadable = (tag: string) => UNREADABLE.test(tag)
