/** A day with two notes. */
import type { components } from '../../api/schema'
import type { Sample } from '../feature'

export const NOTES: components['schemas']['NoteRow'][] = [
  { id: 'n-1', date: '2026-11-20', text: 'Lieferung am Tor 2' },
  { id: 'n-2', date: '2026-11-23', text: 'Inventur im Lager, alle Hände gebraucht' },
]

export const samples: readonly Sample[] = [
  {
    page: { area: 'company', key: 'notes', module: 'schedule' },
    answers: { 'GET /api/companies/c-1/notes': NOTES },
    shows: 'Lieferung am Tor 2',
  },
]
