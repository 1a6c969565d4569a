/** A month of a dozen people: early and late, leave, illness, what is not published yet, and what is to be looked at. */
import type { components } from '../../api/schema'
import { addDays, mondayOf } from '../../ui/days'
import type { Sample } from '../feature'
import type { Absence, Duty, Leave, Times } from './plan'

type Rows = components['schemas']

export const duty = (userId: string, date: string, times: Times, more: Partial<Duty> = {}): Duty => ({
  id: `d-${userId}-${date}`,
  userId,
  username: NAMES[userId] ?? userId,
  date,
  published: true,
  ...times,
  ...more,
})

export const leave = (
  userId: string,
  startDate: string,
  endDate: string,
  more: Partial<Leave> = {},
): Leave => ({
  id: `v-${userId}-${startDate}`,
  kind: 'vacation',
  status: 'approved',
  startDate,
  endDate,
  startHalf: false,
  endHalf: false,
  leftOut: [],
  days: 1,
  returned: 0,
  reason: null,
  comment: null,
  cancelReason: null,
  cancelRequested: false,
  createdAt: '2026-10-01T09:00:00.000Z',
  decidedAt: '2026-10-02T09:00:00.000Z',
  decidedBy: 'Chef',
  userId,
  username: NAMES[userId] ?? userId,
  ...more,
})

export const absence = (userId: string, date: string, more: Partial<Absence> = {}): Absence => ({
  id: `a-${userId}-${date}`,
  date,
  reportId: `r-${userId}`,
  kind: 'sick',
  status: 'open',
  certified: false,
  comment: null,
  credited: true,
  reason: null,
  sickNotePath: null,
  userId,
  userMessage: null,
  username: NAMES[userId] ?? userId,
  ...more,
})

const NAMES: Readonly<Record<string, string>> = {
  'u-1': 'Mia Sommer',
  'u-5': 'Finn Maurer',
  'u-6': 'Ayşe Yılmaz',
  'u-7': 'Tarik Aydın',
  'u-8': 'Emil Haas',
  'u-9': 'Clara Voss',
  'u-10': 'Jan Petersen',
  'u-11': 'Svenja Albers',
  'u-12': 'Ben Kurz',
  'u-13': 'Lena Schmidt-Rotenburg',
  'u-14': 'Noah Winter',
  'u-15': 'Ida Brandt',
}

export const PEOPLE: readonly Rows['UserRow'][] = [
  { id: 'u-2', username: 'Chef', role: 'companyAdmin', tagId: null },
  ...Object.entries(NAMES).map(([id, username], index) => ({
    id,
    username,
    role: 'user' as const,
    tagId: null,
    ...(index < 11 && { department: index % 3 === 0 ? 'Werkstatt' : 'Verkauf' }),
  })),
]

const SHIFTS: readonly Times[] = [
  { start: '06:00', end: '14:00' },
  { start: '13:30', end: '22:00' },
  { start: null, end: null },
]
const AWAY = { 'u-7': ['2026-11-09', '2026-11-13'], 'u-11': ['2026-11-23', '2026-11-27'] } as const
const isAway = (userId: string, day: string) => {
  const [from, to] = AWAY[userId as keyof typeof AWAY] ?? ['', '']
  return from <= day && day <= to
}

function month(): Duty[] {
  const duties: Duty[] = []
  for (const [place, userId] of Object.keys(NAMES).entries()) {
    for (let day = '2026-11-01'; day <= '2026-11-30'; day = addDays(day, 1)) {
      const weekday = (7 + Number(day.slice(8)) - Number(mondayOf(day).slice(8))) % 7
      const week = Number(mondayOf(day).slice(8)) / 7
      if (weekday > 4 || (weekday + place) % 4 === 3 || isAway(userId, day)) continue
      const shift = SHIFTS[(place + Math.round(week)) % 3] ?? SHIFTS[0]
      duties.push(duty(userId, day, shift as Times, { published: day < '2026-11-27' }))
    }
  }
  return duties
}

export const WARNINGS: readonly Rows['PlanWarning'][] = [
  { code: 'ill', userId: 'u-5', date: '2026-11-20' },
  { code: 'short_rest', userId: 'u-8', date: '2026-11-24' },
  { code: 'pending_leave', userId: 'u-12', date: '2026-11-30' },
]

export const answers = {
  'GET /api/companies/c-1/users': PEOPLE,
  'GET /api/companies/c-1/schedule': month(),
  'GET /api/companies/c-1/schedule/warnings': WARNINGS,
  'GET /api/companies/c-1/schedule/changes': [
    { userId: 'u-1', date: '2026-11-27', kind: 'added' },
    { userId: 'u-1', date: '2026-11-30', kind: 'times' },
    { userId: 'u-12', date: '2026-11-28', kind: 'removed' },
  ],
  'GET /api/companies/c-1/schedule/days-off': [
    { date: '2026-11-18', name: 'Buß- und Bettag', half: false },
    { date: '2026-11-27', name: 'Inventur', half: true },
  ],
  'GET /api/companies/c-1/vacation-requests': [
    leave('u-7', ...AWAY['u-7']),
    leave('u-11', ...AWAY['u-11'], { startHalf: true }),
    leave('u-9', '2026-11-06', '2026-11-06', { kind: 'wish' }),
    leave('u-12', '2026-11-28', '2026-11-30', { status: 'pending' }),
    leave('u-14', '2026-11-12', '2026-11-12', { status: 'pending', kind: 'wish' }),
    leave('u-15', '2026-11-12', '2026-11-13', { status: 'declined' }),
  ],
  'GET /api/companies/c-1/closures': [
    { id: 'k-1', startDate: '2026-11-28', endDate: '2026-12-02', name: 'Umbau' },
  ],
  'GET /api/companies/c-1/absences': [absence('u-5', '2026-11-19'), absence('u-5', '2026-11-20')],
}

export const samples: readonly Sample[] = [
  {
    page: { area: 'company', key: 'schedule', module: 'schedule' },
    search: 'ansicht=plan',
    answers,
    shows: 'Lena Schmidt-Rotenburg',
  },
]
