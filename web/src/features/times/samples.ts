/** A day with one entry. */
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

export const samples: readonly Sample[] = [
  {
    page: { area: 'employee', key: 'my_times' },
    answers: { 'GET /api/users/u-1/times': [ENTRY] },
    shows: '07:58',
  },
]
