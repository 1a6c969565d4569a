/** A year with somebody who was told, somebody who was not, and a month in which people are away. */
import type { Sample } from '../feature'
import type { Closure, Leave, Person, Policy } from './useYear'

export const person = (userId: string, username: string, more: Partial<Person> = {}): Person => ({
  userId,
  username,
  department: 'Werkstatt',
  days: 6,
  until: '2027-03-31',
  sentAt: null,
  readAt: null,
  noticeDays: null,
  allowance: 30,
  carried: 2,
  booked: 0,
  taken: 21,
  planned: 5,
  reserved: 0,
  lapsed: 0,
  remaining: 6,
  ...more,
})

export const leave = (id: string, userId: string, startDate: string, endDate: string): Leave => ({
  id,
  kind: 'vacation',
  status: 'approved',
  startDate,
  endDate,
  startHalf: false,
  endHalf: false,
  leftOut: [],
  days: 5,
  returned: 0,
  reason: null,
  comment: null,
  cancelReason: null,
  cancelRequested: false,
  createdAt: '2026-10-20T09:00:00.000Z',
  decidedAt: null,
  decidedBy: null,
  userId,
  username: '',
})

export const closure: Closure = {
  id: 'k-1',
  startDate: '2026-12-28',
  endDate: '2026-12-31',
  name: 'Zwischen den Jahren',
}

export const policy: Policy = {
  mode: 'uniform',
  uniformDays: 30,
  perUser: {},
  carryUntil: '03-31',
  scaleByWorkdays: false,
  validFrom: null,
}

const notice = { sentAt: '2026-10-05T08:00:00.000Z', noticeDays: 6 }

export const people: Person[] = [
  person('u-2', 'Finn Maurer', { ...notice, readAt: '2026-10-06T08:00:00.000Z' }),
  person('u-4', 'Jan Petersen', { ...notice, noticeDays: 4, department: 'Büro' }),
  person('u-1', 'Mia Sommer', { days: 9.5, department: 'Büro' }),
  person('u-5', 'Öznur Çelik', { days: 0, taken: 30, planned: 2 }),
]

export const answers = {
  'GET /api/companies/c-1/vacation-notices': people,
  'GET /api/companies/c-1/closures': [closure],
  'GET /api/companies/c-1/vacation-policy': policy,
  'GET /api/companies/c-1/vacation-requests': [
    leave('v-1', 'u-2', '2026-11-09', '2026-11-13'),
    { ...leave('v-2', 'u-1', '2026-11-19', '2026-11-20'), endHalf: true },
    { ...leave('v-3', 'u-5', '2026-11-26', '2026-11-30'), status: 'pending' as const },
  ],
}

export const samples: readonly Sample[] = [
  {
    page: { area: 'company', key: 'vacation_year', module: 'absences' },
    answers,
    shows: 'Zwischen den Jahren',
  },
  {
    page: { area: 'company', key: 'leave_calendar', module: 'absences' },
    search: 'monat=2026-11',
    answers,
    shows: 'Öznur Çelik',
  },
]
