/** Days of vacation as they are typed: "12,5", "-2". Whole and half ones. */

/** Null for nothing, undefined for what is no such number. */
export function daysFrom(text: string): number | null | undefined {
  const bare = text.trim().replace('−', '-').replace(',', '.')
  if (bare === '') return null
  const days = Number(bare)
  return Number.isInteger(days * 2) ? days : undefined
}

export const typedDays = (days: number) => String(days).replace('.', ',')
