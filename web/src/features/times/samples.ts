/** A day with one entry, one without its end, and a correction that is open. */
import type { components } from '../../api/schema'
import type { Sample } from '../feature'
import type { Reviewed } from './review/useReview'

const ENTRY: components['schemas']['TimeEntryRow'] = {
  id: 'e-1',
  date: '2026-11-19',
  start: '07:58',
  end: '16:04',
  running: false,
  breakMinutes: 30,
  workedMinutesRaw: 486,
  workedMinutesNet: 456,
  source: 'clock',
  flags: [],
  clockName: 'Werkstatt',
}

const FORGOTTEN: typeof ENTRY = {
  ...ENTRY,
  id: 'e-2',
  date: '2026-11-18',
  end: null,
  breakMinutes: null,
  workedMinutesRaw: null,
  workedMinutesNet: null,
  flags: ['missing_out'],
}

export const OPEN: components['schemas']['CorrectionRow'] = {
  id: 'c-1',
  date: '2026-11-17',
  newStart: '07:00',
  newEnd: '15:30',
  reason: null,
  status: 'pending',
  entryId: null,
  breakMinutes: null,
  createdAt: '2026-11-18T06:00:00.000Z',
  userId: 'u-1',
  username: 'Mia Sommer',
  decidedBy: null,
  decidedAt: null,
  before: [],
  leavesOut: [],
}

const reviewed = (
  entryId: string,
  userId: string,
  username: string,
  date: string,
  ...flags: Reviewed['flags']
): Reviewed => ({ entryId, userId, username, date, flags, limits: LIMITS })

export const LIMITS = {
  shiftMinutes: 600,
  restMinutes: 660,
  breakSteps: [
    { overMinutes: 360, minutes: 30 },
    { overMinutes: 540, minutes: 45 },
  ],
}

export const REVIEW: readonly Reviewed[] = [
  reviewed('e-2', 'u-1', 'Mia Sommer', '2026-11-18', 'missing_out'),
  reviewed('e-5', 'u-4', 'Jan Winter', '2026-11-16', 'over_10_h', 'missing_break'),
  reviewed('e-6', 'u-5', 'Öznur Çelik', '2026-11-17', 'missing_in'),
  reviewed('e-7', 'u-4', 'Jan Winter', '2026-11-12', 'worked_on_leave'),
  reviewed('e-8', 'u-1', 'Mia Sommer', '2026-11-10', 'short_rest'),
]

export const HELD_STAMPS: readonly components['schemas']['HeldStamp'][] = [
  {
    id: 's-1',
    tag: '04D5E6F7A8B9C0',
    takenAt: '2026-11-19T06:02:11.000Z',
    deviceId: 'd-1',
    deviceName: 'Werkstatt am Tor 2',
    state: 'held_unknown_tag',
  },
  {
    id: 's-2',
    tag: '04A1B2C3D4E5F6',
    takenAt: '2026-11-18T15:31:00.000Z',
    deviceId: 'd-2',
    deviceName: 'Montagewagen',
    state: 'held_clock',
  },
]

/** Of that day, with what somebody forgot between two whole ones. */
export const FORGETFUL: readonly (typeof ENTRY)[] = [
  { ...ENTRY, id: 'e-1', date: '2026-11-17' },
  {
    ...ENTRY,
    id: 'e-3',
    date: '2026-11-18',
    start: '06:30',
    end: '09:00',
    breakMinutes: 0,
    workedMinutesRaw: 150,
    workedMinutesNet: 150,
  },
  { ...FORGOTTEN, start: '12:30' },
]

export const samples: readonly Sample[] = [
  {
    page: { area: 'employee', key: 'my_times' },
    answers: {
      'GET /api/users/u-1/times': [FORGOTTEN, ENTRY],
      'GET /api/time-corrections/mine': [OPEN],
    },
    shows: '07:58',
  },
  {
    page: { area: 'company', key: 'my_times' },
    answers: {
      'GET /api/companies/c-1/users': [
        { id: 'u-2', username: 'Chef', role: 'companyAdmin', tagId: '04A1B2C3' },
      ],
      'GET /api/users/u-2/times': [FORGOTTEN, ENTRY],
      'GET /api/time-corrections/mine': [OPEN],
    },
    shows: '07:58',
  },
  {
    page: { area: 'council', key: 'review' },
    answers: {
      'GET /api/companies/c-1/review': REVIEW,
      'GET /api/companies/c-1/settings': { timeZone: 'Europe/Berlin' },
      ...Object.fromEntries(REVIEW.map(({ userId }) => [`GET /api/users/${userId}/times`, FORGETFUL])),
    },
    shows: 'Öznur Çelik',
  },
  {
    page: { area: 'company', key: 'review' },
    answers: {
      'GET /api/companies/c-1/review': REVIEW,
      'GET /api/companies/c-1/held-stamps': HELD_STAMPS,
      'GET /api/companies/c-1/features': [
        { id: 'f-1', key: 'absences', label: 'Abwesenheiten bestätigen' },
        { id: 'f-2', key: 'manage_employees', label: 'Mitarbeiter verwalten' },
      ],
      'GET /api/companies/c-1/settings': { timeZone: 'Europe/Berlin' },
      ...Object.fromEntries(REVIEW.map(({ userId }) => [`GET /api/users/${userId}/times`, FORGETFUL])),
    },
    shows: 'Öznur Çelik',
  },
]
