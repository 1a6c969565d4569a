/** A month with duties, one that somebody has been asked to take over, and leave. */
import type { components } from '../../api/schema'
import type { Sample } from '../feature'

type Rows = components['schemas']

const duty = (
  date: string,
  start: string | null = '07:00',
  end: string | null = '15:30',
): Rows['DutyRow'] => ({
  id: `d-${date}`,
  userId: 'u-1',
  username: 'Mia Sommer',
  date,
  start,
  end,
  published: date < '2026-12-04',
})

export const DUTIES: readonly Rows['DutyRow'][] = [
  duty('2026-11-02'),
  duty('2026-11-03'),
  duty('2026-11-05'),
  duty('2026-11-09', '22:00', '06:00'),
  duty('2026-11-10', '22:00', '06:00'),
  duty('2026-11-13'),
  duty('2026-11-17', null, null),
  duty('2026-11-20'),
  duty('2026-11-23'),
  duty('2026-11-24'),
  duty('2026-11-26', '12:00', '20:30'),
  duty('2026-11-27', null, null),
  duty('2026-12-03'),
  duty('2026-12-04'),
]

export const SWAP_REQUESTS: readonly Rows['AskedRow'][] = [
  {
    id: 's-1',
    date: '2026-11-26',
    to: 'u-4',
    toName: 'Ben Kurz',
    createdAt: '2026-11-19T16:12:00.000Z',
  },
]

export const CANDIDATES: readonly Rows['CandidateRow'][] = [
  { id: 'u-4', username: 'Ben Kurz', available: true },
  { id: 'u-5', username: 'Clara Voss', available: false },
  { id: 'u-6', username: 'Emre Yıldız', available: true },
]

const LEAVE: Rows['OwnRequestRow'] = {
  id: 'v-1',
  kind: 'vacation',
  startDate: '2026-11-18',
  endDate: '2026-11-19',
  startHalf: false,
  endHalf: true,
  leftOut: [],
  days: 1.5,
  returned: 0,
  reason: null,
  status: 'approved',
  createdAt: '2026-10-02T08:00:00.000Z',
  comment: null,
  decidedAt: '2026-10-05T08:00:00.000Z',
  cancelRequested: false,
  cancelReason: null,
}

export const OWN_REQUESTS: readonly Rows['OwnRequestRow'][] = [
  LEAVE,
  {
    ...LEAVE,
    id: 'v-2',
    kind: 'wish',
    startDate: '2026-11-30',
    endDate: '2026-11-30',
    endHalf: false,
    days: 0,
  },
  { ...LEAVE, id: 'v-3', startDate: '2026-11-25', endDate: '2026-11-25', status: 'pending' },
]

/** Of the duties that were published last, one has other times. */
export const MESSAGES: readonly Rows['MessageRow'][] = [
  {
    id: 'm-1',
    type: 'schedule',
    title: 'Dein Dienstplan hat sich geändert.',
    body: '24. November 2026: jetzt 07:00–15:30.',
    createdAt: '2026-11-19T15:00:00.000Z',
    payload: { dates: ['2026-11-24'] },
  },
]

export const samples: readonly Sample[] = [
  {
    page: { area: 'employee', key: 'my_schedule' },
    answers: {
      'GET /api/companies/c-1/schedule': DUTIES,
      'GET /api/schedule/my-swap-requests': SWAP_REQUESTS,
      'GET /api/schedule/swap-candidates': CANDIDATES,
      'GET /api/vacation-requests/mine': OWN_REQUESTS,
      'GET /api/companies/c-1/users': CANDIDATES.map(({ id, username }) => ({ id, username })),
      'GET /api/messages': MESSAGES,
      'GET /api/calendar-address': { active: true, createdAt: '2026-11-03T09:00:00.000Z' },
    },
    shows: 'Wann arbeite ich als Nächstes?',
  },
]
