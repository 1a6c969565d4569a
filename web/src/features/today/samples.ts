/** Monday at seven: most are there, two are missing, and of everything that can wait something waits. */
import type { components } from '../../api/schema'
import type { Sample } from '../feature'

type Rows = components['schemas']

const person = (
  userId: string,
  username: string,
  start: string | null,
  end: string | null,
  plannedEnd: string | null,
  clockName: string | null = null,
): Rows['TodaysPerson'] => ({ userId, username, start, end, plannedEnd, clockName })

const NAMES = ['Mia Sommer', 'Öznur Çelik', 'Jonas Brandt', 'Lena Vogt', 'Paul Krämer', 'Sofie Lindner']

const today: Rows['Today'] = {
  present: [
    ...NAMES.map((name, index) =>
      person(`p-${index}`, name, `07:0${index}`, null, '16:30', 'Eingang Werkstatt'),
    ),
    person('u-7', 'Maximiliane Freifrau von Hohenstein-Wittenberge', '06:55', null, null, 'Lager'),
    person('u-8', 'Emil Haas', '06:00', '09:45', '14:00', 'Lager'),
  ],
  missing: [
    person('u-4', 'Finn Maurer', '08:00', '16:30', '16:30'),
    person('u-9', 'Ayşe Yılmaz', '08:00', null, null),
  ],
  unexpected: [person('u-10', 'Tarik Aydın', '09:12', null, null, 'Eingang Werkstatt')],
  waiting: { requests: 2, absences: 3, corrections: 1, heldStamps: 2, review: 1 },
  silentClocks: [{ deviceId: 'd-2', name: 'Uhr im Lager', lastSeen: '2026-11-20T05:12:00.000Z' }],
  alarms: [
    {
      id: 'al-1',
      kind: 'storage',
      deviceName: 'Eingang Werkstatt',
      since: '2026-11-20T05:40:00.000Z',
      hint: 'Lass die Uhr eingeschaltet, bis alles gesendet ist, und schreib dem Support.',
    },
  ],
}

const absence = (id: string, date: string): Rows['AbsenceRow'] => ({
  id,
  reportId: 'r-1',
  date,
  userId: 'u-4',
  username: 'Finn Maurer',
  kind: 'sick',
  status: 'open',
  reason: null,
  certified: true,
  comment: null,
  credited: true,
  sickNotePath: null,
  userMessage: 'Fieber, ich war beim Arzt.',
})

const request = (
  id: string,
  username: string,
  more: Partial<Rows['RequestRow']> = {},
): Rows['RequestRow'] => ({
  id,
  userId: id,
  username,
  kind: 'vacation',
  status: 'pending',
  startDate: '2026-12-21',
  endDate: '2026-12-23',
  startHalf: false,
  endHalf: false,
  leftOut: [],
  days: 3,
  returned: 0,
  reason: null,
  comment: null,
  createdAt: '2026-11-17T09:30:00.000Z',
  decidedAt: null,
  decidedBy: null,
  cancelRequested: false,
  cancelReason: null,
  ...more,
})

const correction: Rows['CorrectionRow'] = {
  id: 'k-1',
  userId: 'u-1',
  username: 'Mia Sommer',
  date: '2026-11-19',
  entryId: 'e-1',
  before: [{ start: '08:02', end: null }],
  newStart: '08:02',
  newEnd: '16:45',
  breakMinutes: null,
  leavesOut: null,
  reason: 'Beim Gehen vergessen zu stempeln.',
  status: 'pending',
  createdAt: '2026-11-20T06:02:00.000Z',
  decidedAt: null,
  decidedBy: null,
}

const stamp = (id: string, takenAt: string): Rows['HeldStamp'] => ({
  id,
  deviceId: 'd-1',
  deviceName: 'Eingang Werkstatt',
  state: 'held_unknown_tag',
  tag: '04A1B2C3D4E5F6',
  takenAt,
})

export const answers = {
  'GET /api/companies/c-1/settings': { timeZone: 'Europe/Berlin' },
  'GET /api/companies/c-1/features': [
    { id: 'f-1', key: 'manage_employees', label: 'Mitarbeiter verwalten' },
    { id: 'f-2', key: 'absences', label: 'Abwesenheiten bestätigen' },
  ],
  'GET /api/companies/c-1/today': today,
  'GET /api/companies/c-1/absences': ['2026-11-19', '2026-11-20', '2026-11-23'].map(date =>
    absence(`a-${date}`, date),
  ),
  'GET /api/companies/c-1/vacation-requests?status=pending': [request('q-1', 'Öznur Çelik')],
  'GET /api/companies/c-1/vacation-requests?status=cancel_requested': [
    request('q-2', 'Jonas Brandt', {
      status: 'approved',
      cancelRequested: true,
      cancelReason: 'Umzug verschoben.',
    }),
  ],
  'GET /api/companies/c-1/time-corrections': [correction],
  'GET /api/companies/c-1/held-stamps': [
    stamp('s-1', '2026-11-20T06:58:00.000Z'),
    stamp('s-2', '2026-11-20T09:01:00.000Z'),
  ],
  'GET /api/companies/c-1/review': [
    {
      entryId: 'e-9',
      userId: 'u-8',
      username: 'Emil Haas',
      date: '2026-11-18',
      flags: ['missing_out', 'long_entry'],
    },
  ] satisfies Rows['ReviewRow'][],
}

export const samples: readonly Sample[] = [
  { page: { area: 'company', key: 'today' }, answers, shows: 'Stornierung angefragt' },
]
