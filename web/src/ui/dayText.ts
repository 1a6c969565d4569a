/** Days as people type them and as tables show them, `YYYY-MM-DD` as they are kept. Pure. */
import { addDays } from './days'

const TYPED = /^(\d{1,2})\.\s?(\d{1,2})\.?(?:\s?(\d{2}|\d{4}))?$/
const BARE = /^(\d{2})(\d{2})(\d{2}|\d{4})?$/
const STORED = /^(\d{4})-(\d{2})-(\d{2})$/

/** "20.11.2026": a day in a table. In sentences they are written out (`writtenDays.ts`). */
export const numericDay = (day: string) => day.split('-').reverse().join('.')

/** "20.11.2026", "20.11.26", "20.11.", "2011", "20112026", "2026-11-20"; null for what is no day. */
export function dayFrom(text: string, today: string): string | null {
  const bare = text.trim()
  const [, year, month, day] = STORED.exec(bare) ?? []
  if (year !== undefined) return real(`${year}-${month}-${day}`)
  const [, date = '', number = '', written] = TYPED.exec(bare) ?? BARE.exec(bare) ?? []
  if (date === '') return null
  return real(`${yearFrom(written, today)}-${number.padStart(2, '0')}-${date.padStart(2, '0')}`)
}

function yearFrom(written: string | undefined, today: string): string {
  if (written === undefined) return today.slice(0, 4)
  return written.length === 2 ? `20${written}` : written
}

/** There is no 31.02. */
function real(day: string): string | null {
  const moment = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(moment) && addDays(day, 0) === day ? day : null
}
