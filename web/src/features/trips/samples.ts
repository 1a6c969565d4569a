/** A month of a workshop: trips that wait, one that is approved, one that is not; and an employee's way to ask. */
import type { Sample } from '../feature'
import type { Trip } from './useTrips'

export const trip = (id: string, more: Partial<Trip> = {}): Trip => ({
  id,
  date: '2026-11-19',
  userId: 'u-4',
  username: 'Finn Maurer',
  destination: 'Baumarkt Süd',
  kilometres: 42,
  purpose: 'Beschläge geholt',
  status: 'pending',
  createdAt: '2026-11-19T15:10:00.000Z',
  decidedAt: null,
  decidedBy: null,
  comment: null,
  ...more,
})

const decided = { decidedAt: '2026-11-16T08:00:00.000Z', decidedBy: 'Ingrid Holm' }

export const month: readonly Trip[] = [
  trip('t-1', { ...decided, date: '2026-11-12', status: 'approved', kilometres: 1_240 }),
  trip('t-2', { ...decided, date: '2026-11-13', status: 'declined', comment: 'Dafür gibt es den Bus.' }),
  trip('t-3', {
    userId: 'u-7',
    username: 'Maximiliane Freifrau von Hohenstein-Wittenberge',
    destination: 'Donaudampfschifffahrtsgesellschaft, Regensburg',
    purpose: 'Aufmaß für die Kapitänskajüte, mit der Bauleitung und der Denkmalpflege vor Ort',
    kilometres: 310,
  }),
  trip('t-4', { date: '2026-11-20', userId: 'u-5', username: 'Öznur Çelik' }),
]

const answers = { 'GET /api/companies/c-1/trips': month }

export const samples: readonly Sample[] = [
  { page: { area: 'company', key: 'trips' }, answers, shows: 'Öznur Çelik' },
  { page: { area: 'employee', key: 'my_trips' }, answers: {}, shows: 'Dienstfahrt einreichen' },
]
