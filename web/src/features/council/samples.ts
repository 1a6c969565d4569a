/** Two days of somebody's, a week's duties, and who looked at whose times. */
import type { components } from '../../api/schema'
import type { Sample } from '../feature'

type Schemas = components['schemas']

export const PEOPLE = [
  { id: 'u-1', username: 'Mia Sommer' },
  { id: 'u-4', username: 'Jan Winter' },
]

const entry = (
  id: string,
  date: string,
  start: string,
  end: string | null,
  net: number | null,
): Schemas['TimeEntryRow'] => ({
  id,
  date,
  start,
  end,
  running: false,
  breakMinutes: net === null ? null : 30,
  workedMinutesRaw: net === null ? null : net + 30,
  workedMinutesNet: net,
  source: 'clock',
  flags: net === null ? ['missing_out'] : [],
  clockName: 'Werkstatt',
})

export const TIMES = [
  entry('e-2', '2026-11-19', '07:58', '16:34', 486),
  entry('e-1', '2026-11-18', '08:02', null, null),
]

const vacation = { allowance: 30, carried: 0, booked: 0, used: 12, reserved: 0, remaining: 18, lapsed: 0 }

export const ACCOUNT: Schemas['MonthAccount'] = {
  month: '2026-11',
  targetMinutes: 10_080,
  actualMinutes: 486,
  balanceMinutes: -9_114,
  credits: [{ kind: 'vacation', minutes: 480 }],
  bookingMinutes: 0,
  bookings: [],
  carriedMinutes: 75,
  targetToDateMinutes: 6_720,
  balanceToDateMinutes: 75,
  days: [],
  holidays: [],
  vacation,
}

const duty = (id: string, date: string, userId: string, username: string, start: string | null) => ({
  id,
  date,
  userId,
  username,
  published: true,
  start,
  end: start === null ? null : '16:00',
})

export const DUTIES: readonly Schemas['DutyRow'][] = [
  duty('d-1', '2026-11-23', 'u-4', 'Jan Winter', '07:00'),
  duty('d-2', '2026-11-23', 'u-1', 'Mia Sommer', null),
  duty('d-3', '2026-11-24', 'u-1', 'Mia Sommer', '07:00'),
]

const look = (id: string, at: string, what: Schemas['AccessRow']['what'], username?: string) => ({
  id,
  at,
  actor: 'u-2',
  actorName: 'Ingrid Holm',
  what,
  subjects: username === undefined ? [] : [{ userId: 'u-1', username }],
})

export const LOOKS: readonly Schemas['AccessRow'][] = [
  look('l-2', '2026-11-19T09:04:00.000Z', 'times', 'Mia Sommer'),
  look('l-1', '2026-11-18T13:40:00.000Z', 'attendance'),
]

export const samples: readonly Sample[] = [
  {
    page: { area: 'council', key: 'council_times' },
    search: 'person=u-1',
    answers: {
      'GET /api/companies/c-1/users': PEOPLE,
      'GET /api/users/u-1/times': TIMES,
      'GET /api/users/u-1/account': ACCOUNT,
    },
    shows: '8h 06m',
  },
  {
    page: { area: 'council', key: 'council_plan' },
    answers: { 'GET /api/companies/c-1/schedule': DUTIES },
    shows: 'Jan Winter',
  },
  {
    page: { area: 'council', key: 'council_looks' },
    answers: { 'GET /api/companies/c-1/access-log': LOOKS },
    shows: 'die ganze Firma',
  },
]
