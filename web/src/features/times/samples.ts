/** A day with one entry, one without its end, and a correction that is open. */
import type { components } from '../../api/schema'
import type { Sample } from '../feature'

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

const OPEN: components['schemas']['CorrectionRow'] = {
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
]
