/** A Krankmeldung of two days, in the first part. */
import type { Sample } from '../feature'
import type { Absence, Correction, Leave } from './waiting'

export const absence = (id: string, date: string, more: Partial<Absence> = {}): Absence => ({
  id,
  date,
  reportId: 'r-1',
  kind: 'sick',
  status: 'open',
  certified: false,
  comment: null,
  credited: true,
  reason: null,
  sickNotePath: null,
  userId: 'u-2',
  userMessage: 'Ich komme am Montag wieder.',
  username: 'Finn Maurer',
  ...more,
})

export const leave = (id: string, more: Partial<Leave> = {}): Leave => ({
  id,
  kind: 'vacation',
  status: 'pending',
  startDate: '2026-12-07',
  endDate: '2026-12-11',
  startHalf: false,
  endHalf: false,
  days: 5,
  returned: 0,
  reason: null,
  comment: null,
  cancelReason: null,
  cancelRequested: false,
  createdAt: '2026-11-20T09:00:00.000Z',
  decidedAt: null,
  decidedBy: null,
  userId: 'u-2',
  username: 'Finn Maurer',
  ...more,
})

export const correction = (id: string, more: Partial<Correction> = {}): Correction => ({
  id,
  date: '2026-11-18',
  newStart: '07:30',
  newEnd: '16:00',
  breakMinutes: null,
  before: null,
  leavesOut: null,
  entryId: null,
  reason: null,
  status: 'pending',
  createdAt: '2026-11-20T09:00:00.000Z',
  decidedAt: null,
  decidedBy: null,
  userId: 'u-2',
  username: 'Finn Maurer',
  ...more,
})

export const samples: readonly Sample[] = [
  {
    page: { area: 'company', key: 'absences', module: 'absences' },
    answers: {
      'GET /api/companies/c-1/absences': [absence('a-1', '2026-11-19'), absence('a-2', '2026-11-20')],
    },
    shows: 'Ich komme am Montag wieder.',
  },
]
