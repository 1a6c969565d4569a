/** Three notes. */
import type { Sample } from '../../features/feature'
import type { Note } from './schema'

export const NOTES: readonly Note[] = [
  { id: 'n-1', day: '2026-11-20', text: 'Die Säge läuft unrund: bitte nicht benutzen.', by: 'Jan Petersen' },
  { id: 'n-2', day: '2026-11-19', text: 'Schlüssel vom Lager liegt beim Pförtner.', by: 'Ingrid Holm' },
  { id: 'n-3', day: '2026-11-17', text: 'Lieferung Eiche kommt erst Donnerstag.', by: 'Mehmet Aydin' },
]

export const samples: readonly Sample[] = [
  {
    page: { area: 'company', key: 'notes' },
    answers: { 'GET /api/companies/c-1/notes': NOTES },
    shows: 'Lieferung Eiche kommt erst Donnerstag.',
  },
]
