/** A workshop with some of the modules that there are. */
import type { components } from '../../api/schema'
import type { Sample } from '../feature'

const MODULES: readonly components['schemas']['FeatureRow'][] = [
  'Mitarbeiter verwalten',
  'Dienstplan verwalten',
  'Abwesenheiten bestätigen',
  'Mitarbeiterkosten einsehen',
  'Geräte verwalten',
  'Arbeitszeiten konfigurieren',
  'Daten Export',
  'Fehlerlog',
  'Anwesende Mitarbeiter',
  'Datenschutz zustimmen',
  'Gespeicherte Firmendaten sehen',
].map((label, index) => ({ id: `f-${index}`, key: `module_${index}`, label }))

const CLOSED: readonly components['schemas']['ClosedRow'][] = [
  {
    id: 'c-7',
    name: 'Malerbetrieb Krone',
    closedAt: '2026-09-30T15:12:00.000Z',
    purgeOn: '2032-12-31',
    purgedAt: null,
    lateStamps: 0,
    tombstone: null,
  },
  {
    id: 'c-8',
    name: 'Gartenbau Lenz',
    closedAt: '2019-05-31T10:00:00.000Z',
    purgeOn: null,
    purgedAt: '2026-01-01T05:00:00.000Z',
    lateStamps: 12,
    tombstone: '{}',
  },
]

export const samples: readonly Sample[] = [
  { page: { area: 'admin', key: 'create_company' }, answers: {}, shows: 'So melden sich ihre Leute an.' },
  {
    page: { area: 'admin', key: 'companies' },
    search: 'firma=c-1',
    answers: {
      'GET /api/features': MODULES,
      'GET /api/companies/c-1/features': MODULES.slice(0, 8),
      'GET /api/companies/c-1/closing': { purgeOn: '2032-12-31', archive: null },
      'GET /api/closed-companies': CLOSED,
    },
    shows: 'Fehlerlog',
  },
]
