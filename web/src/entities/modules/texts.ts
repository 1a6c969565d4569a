/** What the modules are called, as the documents call them. */
export const MODULES = {
  manage_employees: 'Mitarbeiter verwalten',
  schedule: 'Dienstplan verwalten',
  absences: 'Abwesenheiten bestätigen',
  costs: 'Mitarbeiterkosten einsehen',
  devices: 'Geräte verwalten',
  hours_config: 'Arbeitszeiten konfigurieren',
  monthly_mail: 'Daten Export',
  error_log: 'Fehlerlog',
  present: 'Anwesende Mitarbeiter',
  privacy: 'Datenschutz zustimmen',
  data_view: 'Gespeicherte Firmendaten sehen',
} as const
