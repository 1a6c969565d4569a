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

export const samples: readonly Sample[] = [
  { page: { area: 'admin', key: 'create_company' }, answers: {}, shows: 'So melden sich ihre Leute an.' },
  {
    page: { area: 'admin', key: 'companies' },
    search: 'firma=c-1',
    answers: { 'GET /api/features': MODULES, 'GET /api/companies/c-1/features': MODULES.slice(0, 8) },
    shows: 'Fehlerlog',
  },
]
