/**
 * A month's account as a calculation: worked, credited and booked time, less the target, is the month's own balance;
 * with the carried balance it is the current balance. The present month has two columns: until today, and the whole
 * month. Pure.
 */
import type { MonthAccount, YearAccount } from './useAccount'

export type Kind = MonthAccount['credits'][number]['kind']
export type LineKind = 'actual' | Kind | 'bookings' | 'target'
type Day = MonthAccount['days'][number]

/** The whole month, and until the last day that counts. */
export interface Amounts {
  month: number
  toDate: number
}

export interface Line extends Amounts {
  kind: LineKind
}

export interface Ledger {
  /** Whether the month is past, present or future. */
  phase: 'past' | 'present' | 'future'
  /** The last day that counts "until today"; null before the first. */
  until: string | null
  /** Their sum is `own`; the target is negative. */
  lines: Line[]
  own: Amounts
  carried: number
  /** The sum of `own` and `carried`. */
  end: Amounts
}

const CREDITED: readonly Kind[] = ['holiday', 'vacation', 'absence']

/** Whether the account has no values, as before the employment. */
export const isEmpty = (account: MonthAccount) =>
  [account.actualMinutes, account.targetMinutes, account.bookingMinutes, account.carriedMinutes].every(
    minutes => minutes === 0,
  ) &&
  account.credits.length === 0 &&
  account.days.every(({ entryIds }) => entryIds.length === 0)

/** `today`: the date of the service's answer. */
export function ledgerOf(account: MonthAccount, today: string): Ledger {
  const { days, carriedMinutes: carried } = account
  const lastCounted = untilOf(account, today)
  const phase = lastCounted === days.at(-1)?.date ? 'past' : lastCounted === null ? 'future' : 'present'
  const lines: Line[] = [
    { kind: 'actual', month: account.actualMinutes, toDate: sum(upTo(days, lastCounted), actualOf) },
    ...CREDITED.filter(kind => has(account, kind)).map(kind => ({
      kind,
      month: sum(account.credits, credit => (credit.kind === kind ? credit.minutes : 0)),
      toDate: sum(upTo(days, lastCounted), day => creditOf(day, kind)),
    })),
    ...(account.bookings.length === 0
      ? []
      : [
          {
            kind: 'bookings' as const,
            month: account.bookingMinutes,
            toDate: sum(upTo(account.bookings, lastCounted), ({ minutes }) => minutes),
          },
        ]),
    { kind: 'target', month: -account.targetMinutes, toDate: -sum(upTo(days, lastCounted), targetOf) },
  ]
  const totals = { month: sum(lines, line => line.month), toDate: sum(lines, line => line.toDate) }
  return {
    phase,
    until: lastCounted,
    lines,
    own: totals,
    carried,
    end: { month: totals.month + carried, toDate: totals.toDate + carried },
  }
}

const has = ({ credits, holidays }: MonthAccount, kind: Kind) =>
  credits.some(credit => credit.kind === kind) || (kind === 'holiday' && holidays.length > 0)

const actualOf = (day: Day) => day.actualMinutes
const targetOf = (day: Day) => day.targetMinutes
export const creditOf = (day: Day, kind: Kind) =>
  sum(day.credits, credit => (credit.kind === kind ? credit.minutes : 0))

/** The last day that counts: the device's date if it matches the service's figures; else the last day that does. */
function untilOf(account: MonthAccount, today: string): string | null {
  const { days, month } = account
  const last = days.at(-1)?.date ?? null
  const lastDay = today.slice(0, 7) === month ? today : today.slice(0, 7) > month ? last : null
  if (gives(account, lastDay)) return lastDay
  return days.findLast(day => gives(account, day.date))?.date ?? (gives(account, null) ? null : lastDay)
}

/** Whether the sums until a day equal the service's "to date" figures. */
function gives(account: MonthAccount, until: string | null): boolean {
  const days = upTo(account.days, until)
  const due = sum(days, targetOf)
  const done = sum(days, day => day.actualMinutes + sum(day.credits, ({ minutes }) => minutes))
  const booked = sum(upTo(account.bookings, until), ({ minutes }) => minutes)
  return (
    due === account.targetToDateMinutes &&
    account.carriedMinutes + done + booked - due === account.balanceToDateMinutes
  )
}

function upTo<Dated extends { date: string }>(all: readonly Dated[], until: string | null): Dated[] {
  return until === null ? [] : all.filter(({ date }) => date <= until)
}

export const sum = <Of>(all: readonly Of[], minutes: (one: Of) => number): number =>
  all.reduce((total, one) => total + minutes(one), 0)

export interface Carried {
  /** The source: the year's initial balance, a month's balance, or an opening balance. */
  from: 'year' | 'month' | 'opening'
  /** `YYYY`, or `YYYY-MM`. */
  of: string
  minutes: number
}

/** The parts of a month's carried minutes within its year; their sum is the carried value. */
export function carriedInto(month: string, { months, year, carriedMinutes }: YearAccount): Carried[] {
  const place = months.findIndex(each => each.month === month)
  const carried: Carried[] = [{ from: 'year', of: String(year - 1), minutes: carriedMinutes }]
  months.slice(0, Math.max(place, 0)).forEach((month, index) => {
    const next = months[index + 1]
    if (next === undefined) return
    const minutes = next.carriedMinutes - month.carriedMinutes
    // Time before the account's start counts in no other month; the opening balance is carried into its first month.
    if (minutes === month.balanceMinutes) carried.push({ from: 'month', of: month.month, minutes })
    else carried.push({ from: 'opening', of: next.month, minutes })
  })
  return carried.filter(({ minutes }) => minutes !== 0)
}
