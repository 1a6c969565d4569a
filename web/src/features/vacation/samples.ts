/** A page for each part. */
import type { Part } from '../../entities/absences/place'
import type { Preview } from '../../entities/absences/preview'
import type { Sample } from '../feature'
import type { Seen } from './DayBars'
import type { Absence, Around, Correction, Leave } from './rows'

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
  leftOut: [],
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

/** A month of which nothing is known but these days. */
const around = (month: string, days: number, known: Record<string, Partial<Around>> = {}): Around[] =>
  Array.from({ length: days }, (_, index) => {
    const date = `${month}-${String(index + 1).padStart(2, '0')}`
    const free = [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())
    return { date, free, holiday: null, duty: false, own: null, away: [], ...known[date] }
  })

export const preview = (more: Partial<Preview> = {}): Preview => ({
  days: 5,
  freeDays: 0,
  leftOut: [],
  holidays: [],
  remainingAfter: 7.5,
  reservedAfter: 5,
  overlaps: false,
  warnings: [],
  years: [{ year: 2026, remaining: 7.5 }],
  around: around('2026-12', 31, {
    '2026-12-08': { away: ['Mia Sommer'] },
    '2026-12-09': { away: ['Mia Sommer', 'Jonas Weber'], duty: true },
    '2026-12-25': { holiday: 'Erster Weihnachtstag' },
    '2026-12-28': { own: 'vacation' },
    '2026-12-29': { own: 'vacation' },
  }),
  ...more,
})

export const corrected = (more: Partial<Seen> = {}): Seen => ({
  before: [
    { start: '08:00', end: '12:00', breakMinutes: 0, minutes: 240 },
    { start: '12:30', end: '17:14', breakMinutes: 0, minutes: 284 },
  ],
  after: [
    { start: '07:30', end: '12:00', breakMinutes: 0, minutes: 270 },
    { start: '12:30', end: '16:00', breakMinutes: 0, minutes: 210 },
  ],
  stamps: ['08:00', '12:00', '12:30', '17:14'],
  leavesOut: [{ start: '16:00', end: '17:14', minutes: 74 }],
  ...more,
})

const page = { area: 'company', key: 'absences', module: 'absences' } as const
const PREVIEW = 'GET /api/vacation-requests/preview'
const LEAVE = 'GET /api/companies/c-1/vacation-requests'

/** Each part with something in it, by its name in the address. */
export const parts: Readonly<Record<Part, Omit<Sample, 'page'>>> = {
  absences: {
    answers: {
      'GET /api/companies/c-1/absences': [
        absence('a-1', '2026-11-19', { sickNotePath: '/api/absences/a-1/sick-note' }),
        absence('a-2', '2026-11-20', { sickNotePath: '/api/absences/a-1/sick-note' }),
      ],
      [LEAVE]: [leave('v-9', { status: 'approved', startDate: '2026-11-16', endDate: '2026-11-20' })],
      [PREVIEW]: preview({ days: 2, around: around('2026-11', 30, { '2026-11-19': { duty: true } }) }),
    },
    shows: 'Ich komme am Montag wieder.',
  },
  requests: {
    answers: {
      [`${LEAVE}?status=pending`]: [
        leave('v-1', { reason: 'Silvester bei den Großeltern' }),
        leave('v-2', { username: 'Ayse Demir', kind: 'wish', endDate: '2026-12-07', days: 0 }),
      ],
      [`${LEAVE}?status=cancel_requested`]: [
        leave('v-3', { username: 'Öznur Çelik', status: 'approved', cancelRequested: true }),
      ],
      [PREVIEW]: preview({
        remainingAfter: -2,
        years: [{ year: 2026, remaining: -2 }],
        warnings: [{ code: 'duty', date: '2026-12-09' }],
      }),
    },
    shows: 'Silvester bei den Großeltern',
  },
  corrections: {
    answers: {
      'GET /api/companies/c-1/time-corrections': [correction('k-1', { reason: 'Ich war beim Kunden.' })],
      'GET /api/time-corrections/k-1/preview': corrected(),
    },
    shows: 'Unterschied',
  },
  decided: {
    answers: {
      [LEAVE]: [
        leave('v-1', { status: 'approved', decidedBy: 'Ingrid Holm', comment: 'Schöne Tage.' }),
        leave('v-2', {
          username: 'Ayse Demir',
          status: 'approved',
          decidedBy: 'Ingrid Holm',
          cancelRequested: true,
        }),
      ],
    },
    shows: 'Ingrid Holm: Schöne Tage.',
  },
}

export const samples: readonly Sample[] = [{ page, ...parts.absences }]
