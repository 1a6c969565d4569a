/** A workshop's tables, of which the absences are shown. */
import type { Sample } from '../feature'
import type { Dump } from './useDump'

export const dump: Dump = {
  tables: {
    users: [
      { id: 'u-4', username: 'Finn Maurer', role: 'user', created_at: '2026-03-02T07:58:03.214Z' },
      { id: 'u-1', username: 'Mia Sommer', role: 'user', created_at: '2026-01-07T06:41:55.020Z' },
    ],
    entries: [],
    absences: [
      {
        id: 'a-2',
        user_id: 'u-4',
        date: '2026-11-18',
        kind: 'sick',
        status: 'open',
        credited: true,
        user_message: 'Fieber; Arzt heute, "Dr. Wu"',
      },
      {
        id: 'a-1',
        user_id: 'u-1',
        date: '2026-11-12',
        kind: 'special',
        status: 'excused',
        credited: false,
        user_message: null,
      },
    ],
    company_settings: [
      { setting: 'holiday_region', valid_from: '2026-01-01', value: '"DE-NI"', set_by: 'u-1' },
    ],
  },
  counts: { users: 2, entries: 0, absences: 1_284, company_settings: 1 },
}

export const samples: readonly Sample[] = [
  {
    page: { area: 'company', key: 'data_view', module: 'data_view' },
    search: 'tabelle=absences',
    answers: {
      'GET /api/companies/c-1/data-dump': dump,
      'GET /api/companies/c-1/archives': [
        {
          id: 'r-1',
          begunAt: '2026-11-02T08:00:00.000Z',
          begunBy: 'Mia Sommer',
          done: 12,
          of: 12,
          endedAt: '2026-11-02T08:01:10.000Z',
          sha256: '9f'.repeat(32),
          bytes: 4_120_333,
        },
      ],
    },
    shows: '2 von 1.284 Zeilen',
  },
]
