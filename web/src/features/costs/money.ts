/** Parses typed amounts, with a comma or a dot, and formats them. */
import { texts } from './texts'

const TYPED = /^(\d{1,7})(?:[.,](\d{1,2}))?$/

/** "2.100,50"; without its comma "2.100" is ambiguous, and invalid. */
const GROUPED = /^\d{1,3}(\.\d{3})+(?=,)/

/** In cents; null for an empty text, undefined for an invalid one. */
export function centsFrom(text: string): number | null | undefined {
  const bare = text.replace(/[\s€]/g, '').replace(GROUPED, whole => whole.replaceAll('.', ''))
  if (bare === '') return null
  const [, euros, cents = ''] = TYPED.exec(bare) ?? []
  return euros === undefined ? undefined : Number(euros) * 100 + Number(cents.padEnd(2, '0'))
}

/** As in a field: "12,82"; empty for null. */
export const asTyped = (cents: number | null | undefined) =>
  cents == null ? '' : texts.euros(cents).replace(/[\s€.]/g, '')

/** A field's value in the request: cents, or the text of an invalid amount, for the service to refuse. */
export const sentOf = (text: string) => centsFrom(text) ?? (text.trim() === '' ? null : text)
