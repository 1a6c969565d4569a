/** Months as `YYYY-MM`. */
import { currentDay, formatter } from './days'

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/

export function isMonth(text: string | null | undefined): text is string {
  return typeof text === 'string' && MONTH.test(text)
}

export function currentMonth(): string {
  return currentDay().slice(0, 7)
}

export function yearOf(month: string): number {
  return Number(month.slice(0, 4))
}

export function addMonths(month: string, months: number): string {
  const index = yearOf(month) * 12 + Number(month.slice(5)) - 1 + months
  return monthIn(Math.floor(index / 12), (index % 12) + 1)
}

export function monthIn(year: number, number: number): string {
  return `${String(year).padStart(4, '0')}-${String(number).padStart(2, '0')}`
}

/** First and last day, both inclusive. */
export function bounds(month: string): { from: string; to: string } {
  const last = new Date(Date.UTC(yearOf(month), Number(month.slice(5)), 0)).getUTCDate()
  return { from: `${month}-01`, to: `${month}-${String(last).padStart(2, '0')}` }
}

function name(month: string, options: Intl.DateTimeFormatOptions): string {
  const first = new Date(Date.UTC(yearOf(month), Number(month.slice(5)) - 1, 1))
  return formatter({ ...options, timeZone: 'UTC' }).format(first)
}

/** "November 2026" */
export function monthName(month: string): string {
  return name(month, { month: 'long', year: 'numeric' })
}

/** "Nov" */
export function monthShort(month: string): string {
  return name(month, { month: 'short' })
}

/** "November" */
export function monthWord(month: string): string {
  return name(month, { month: 'long' })
}
