/** Requests in each state, an illness with days decided apart, and a day on which somebody was missed. */
import type { components } from '../../api/schema'
import type { Sample } from '../feature'

type Request = components['schemas']['OwnRequestRow']
type Absence = components['schemas']['AbsenceRow']

const request = (id: string, startDate: string, endDate: string, more: Partial<Request> = {}): Request => ({
  id,
  kind: 'vacation',
  startDate,
  endDate,
  startHalf: false,
  endHalf: false,
  leftOut: [],
  days: 5,
  returned: 0,
  reason: null,
  status: 'approved',
  createdAt: '2026-11-18T08:12:00.000Z',
  comment: null,
  decidedAt: '2026-11-19T13:00:00.000Z',
  cancelRequested: false,
  cancelReason: null,
  ...more,
})

const absence = (id: string, date: string, more: Partial<Absence> = {}): Absence => ({
  id,
  date,
  kind: 'sick',
  status: 'excused',
  sickNotePath: null,
  userMessage: null,
  userId: 'u-1',
  username: 'Mia Sommer',
  reportId: 'r-1',
  certified: false,
  reason: null,
  credited: true,
  comment: null,
  ...more,
})

export const samples: readonly Sample[] = [
  {
    page: { area: 'employee', key: 'my_absences' },
    answers: {
      'GET /api/vacation-policy/mine': {
        mode: 'uniform',
        uniformDays: 30,
        myAllowance: 30,
        remainingDays: 12.5,
        vacationEnabled: true,
        used: 19.5,
        reserved: 3.5,
        carried: 2,
        booked: 0,
        lapsed: 0,
        year: 2026,
      } satisfies components['schemas']['OwnPolicyRow'],
      'GET /api/vacation-requests/mine': [
        request('v-4', '2026-12-28', '2026-12-31', {
          status: 'pending',
          decidedAt: null,
          days: 3.5,
          endHalf: true,
          reason: 'Silvester bei den Großeltern in Greifswald-Wieck',
        }),
        request('v-3', '2026-12-05', '2026-12-05', {
          kind: 'wish',
          days: 0,
          status: 'pending',
          decidedAt: null,
        }),
        request('v-2', '2026-10-12', '2026-10-23', {
          status: 'declined',
          days: 10,
          comment: 'Da ist die Küche in der Lindenstraße dran. Geht es eine Woche später?',
        }),
        request('v-1', '2026-08-03', '2026-08-21', { days: 15 }),
      ],
      'GET /api/users/u-1/absences': [
        absence('a-1', '2026-11-03', { sickNotePath: '/api/absences/a-1/sick-note' }),
        absence('a-2', '2026-11-04', { sickNotePath: '/api/absences/a-1/sick-note' }),
        absence('a-3', '2026-11-05', { status: 'open', sickNotePath: '/api/absences/a-1/sick-note' }),
        absence('a-4', '2026-11-16', {
          kind: 'missing',
          status: 'open',
          reportId: 'r-2',
          userMessage: 'Ich hatte mit Jan getauscht, das steht noch falsch im Plan.',
        }),
      ],
    },
    shows: 'Silvester bei den Großeltern',
  },
]
