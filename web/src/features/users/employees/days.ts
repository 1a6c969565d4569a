/** Parses typed days of vacation: "12,5", "-2". Whole and half ones. */

/** Null for an empty text, undefined for an invalid one. */
export function daysFrom(text: string): number | null | undefined {
  const bare = text.trim().replace('−', '-').replace(',', '.')
  if (bare === '') return null
  const days = Number(bare)
  return Number.isInteger(days * 2) ? days : undefined
}

export const typedDays = (days: number) => String(days).replace('.', ',')
