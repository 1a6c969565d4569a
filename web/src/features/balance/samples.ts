/** The account of November 2026, as it stands on the 20th at noon, and its year. */
import type { Sample } from '../feature'
import type { AccountRow } from './team/TeamPage'
import type { MonthAccount, TimeEntry, YearAccount } from './useAccount'

const TODAY = '2026-11-20'
const DUE = 480
const FREE = new Set([0, 6])
const CREDITS: Readonly<Record<string, MonthAccount['days'][number]['credits'][number]>> = {
  '2026-11-05': { kind: 'vacation', minutes: DUE },
  '2026-11-06': { kind: 'vacation', minutes: DUE },
  '2026-11-10': { kind: 'absence', minutes: DUE },
  '2026-11-18': { kind: 'holiday', minutes: DUE },
  '2026-11-27': { kind: 'vacation', minutes: DUE / 2 },
}
const START_TIMES = ['07:02', '06:58', '07:00', '06:55', '07:05']
const RAW = [542, 513, 556, 498, 571]

const dayOf = (number: number) => `2026-11-${String(number).padStart(2, '0')}`
const isFree = (day: string) => FREE.has(new Date(`${day}T00:00:00Z`).getUTCDay())
const DAYS = Array.from({ length: 30 }, (_, index) => dayOf(index + 1))

const timeAfter = (start: string, minutes: number) => {
  const end = Number(start.slice(0, 2)) * 60 + Number(start.slice(3)) + minutes
  return `${String(Math.floor(end / 60)).padStart(2, '0')}:${String(end % 60).padStart(2, '0')}`
}

export const entries: readonly TimeEntry[] = DAYS.filter(
  day => day <= TODAY && !isFree(day) && CREDITS[day] === undefined,
).map((date, index) => {
  const start = START_TIMES[index % 5] ?? ''
  const running = date === TODAY
  const raw = running ? null : (RAW[index % 5] ?? 0)
  return {
    id: `e-${date}`,
    date,
    start,
    end: raw === null ? null : timeAfter(start, raw),
    running,
    breakMinutes: raw === null ? null : 30,
    workedMinutesRaw: raw,
    workedMinutesNet: raw === null ? null : raw - 30,
    source: index === 3 ? 'correction' : 'clock',
    flags: [],
    clockName: index === 3 ? null : 'Werkstatt',
  }
})

const days: MonthAccount['days'] = DAYS.map(date => {
  const dayEntries = entries.filter(entry => entry.date === date)
  const credit = CREDITS[date]
  return {
    date,
    targetMinutes: isFree(date) ? 0 : DUE,
    actualMinutes: dayEntries.reduce((sum, entry) => sum + (entry.workedMinutesNet ?? 0), 0),
    credits: credit === undefined ? [] : [credit],
    entryIds: dayEntries.map(({ id }) => id),
  }
})

const total = (of: (day: MonthAccount['days'][number]) => number, until = '2026-11-30') =>
  days.filter(({ date }) => date <= until).reduce((sum, day) => sum + of(day), 0)
const credited = (day: MonthAccount['days'][number]) =>
  day.credits.reduce((sum, { minutes }) => sum + minutes, 0)

const BOOKED = -90
const CARRIED = 755
const actual = total(day => day.actualMinutes)
const target = total(day => day.targetMinutes)
const targetToDate = total(day => day.targetMinutes, TODAY)

const vacation = { allowance: 30, carried: 2.5, booked: 0, used: 14.5, reserved: 3, remaining: 18, lapsed: 0 }

export const november: MonthAccount = {
  month: '2026-11',
  targetMinutes: target,
  actualMinutes: actual,
  balanceMinutes: actual + total(credited) + BOOKED - target,
  credits: [
    { kind: 'holiday', minutes: DUE },
    { kind: 'vacation', minutes: DUE * 2.5 },
    { kind: 'absence', minutes: DUE },
  ],
  bookingMinutes: BOOKED,
  bookings: [
    { id: 'b-1', date: '2026-11-12', minutes: BOOKED, reason: 'Ausgezahlt mit der Oktoberabrechnung' },
  ],
  carriedMinutes: CARRIED,
  targetToDateMinutes: targetToDate,
  balanceToDateMinutes: CARRIED + actual + total(credited, TODAY) + BOOKED - targetToDate,
  vacation,
  holidays: [{ date: '2026-11-18', name: 'Buß- und Bettag' }],
  days,
}

const BALANCES = [190, -65, 340, 0, -500, 135, 285, 90, -120, 100]

function yearMonths(): YearAccount['months'] {
  let carried = 300
  const { days: _, ...present } = november
  const past = BALANCES.map((balance, index) => {
    const due = (20 + ((index * 7) % 4)) * DUE
    const free = index === 6 ? 10 * DUE : index === 3 ? 2 * DUE : 0
    const month = {
      ...present,
      month: `2026-${String(index + 1).padStart(2, '0')}`,
      targetMinutes: due,
      actualMinutes: due + balance - free,
      balanceMinutes: balance,
      credits: free === 0 ? [] : [{ kind: 'vacation' as const, minutes: free }],
      bookingMinutes: 0,
      bookings: [],
      carriedMinutes: carried,
      targetToDateMinutes: due,
      balanceToDateMinutes: carried + balance,
      holidays: [],
    }
    carried += balance
    return month
  })
  const due = 23 * DUE
  const carriedOn = november.carriedMinutes + november.balanceMinutes
  const december = {
    ...present,
    month: '2026-12',
    targetMinutes: due,
    actualMinutes: 0,
    balanceMinutes: 2 * DUE - due,
    credits: [{ kind: 'holiday' as const, minutes: 2 * DUE }],
    bookingMinutes: 0,
    bookings: [],
    carriedMinutes: carriedOn,
    targetToDateMinutes: 0,
    balanceToDateMinutes: carriedOn,
    holidays: [],
  }
  return [...past, present, december]
}

export const year: YearAccount = { year: 2026, months: yearMonths(), carriedMinutes: 300, vacation }

const standing = (
  userId: string,
  username: string,
  actual: number,
  more: Partial<AccountRow> = {},
): AccountRow => ({
  userId,
  username,
  targetMinutes: 9_600,
  actualMinutes: actual,
  creditMinutes: 480,
  balanceMinutes: actual + 480 - 9_600,
  balanceToDateMinutes: actual + 480 - 7_200,
  vacationRemaining: 12,
  flags: [],
  ...more,
})

export const TEAM: readonly AccountRow[] = [
  standing('u-1', 'Mia Sommer', 7_214, { flags: ['missing_out', 'over_10_h'], vacationRemaining: 8.5 }),
  standing('u-4', 'Jan Winter', 6_655, { vacationRemaining: -1 }),
  standing('u-5', 'Öznur Çelik', 6_720, { flags: ['late'] }),
  standing('u-6', 'Bela Król', 0, {
    targetMinutes: 0,
    creditMinutes: 0,
    balanceMinutes: 0,
    balanceToDateMinutes: 0,
  }),
]

export const samples: readonly Sample[] = [
  {
    page: { area: 'employee', key: 'my_account' },
    answers: {
      'GET /api/users/u-1/account?month=2026-11': november,
      'GET /api/users/u-1/account?year=2026': year,
      'GET /api/users/u-1/times': entries,
    },
    shows: 'Buchungen',
  },
  {
    page: { area: 'company', key: 'my_account' },
    answers: {
      'GET /api/companies/c-1/users': [
        { id: 'u-2', username: 'Chef', role: 'companyAdmin', tagId: '04A1B2C3' },
      ],
      'GET /api/users/u-2/account?month=2026-11': november,
      'GET /api/users/u-2/account?year=2026': year,
      'GET /api/users/u-2/times': entries,
    },
    shows: 'Buchungen',
  },
  {
    page: { area: 'company', key: 'accounts' },
    answers: { 'GET /api/companies/c-1/accounts': TEAM },
    shows: 'Öznur Çelik',
  },
]
