/** The time of day from the keypad's digits, filled from the left as spoken. */

export const DIGITS = 4

/** Adds a digit; a first digit above 2 can only be an hour below ten, so it gets its zero. */
export function press(digits: string, digit: string): string {
  const next = digits === '' && Number(digit) > 2 ? `0${digit}` : digits + digit
  return next.slice(0, DIGITS)
}

/** Removes the last digit, together with an automatic zero before it. */
export function erase(digits: string): string {
  const next = digits.slice(0, -1)
  return next === '0' && Number(digits.slice(-1)) > 2 ? '' : next
}

/** The contents of the digit boxes, hours and minutes separately; empty for missing digits. */
export function boxes(digits: string): readonly [string[], string[]] {
  const filled = Array.from({ length: DIGITS }, (_, index) => digits[index] ?? '')
  return [filled.slice(0, 2), filled.slice(2)]
}

/** "17:30"; null while incomplete or invalid. */
export function timeFrom(digits: string): string | null {
  if (digits.length < DIGITS) return null
  const hours = Number(digits.slice(0, 2))
  const minutes = Number(digits.slice(2))
  return hours < 24 && minutes < 60 ? `${digits.slice(0, 2)}:${digits.slice(2)}` : null
}
