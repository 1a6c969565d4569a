/**
 * What the product does, by the names that its menus have. What is not in `ready` yet is said to be in the making: a test
 * holds the list to the pages that there really are.
 */
export interface Module {
  /** Of a page of the employee's, or of a module that a company can have. */
  key: string
  label: string
  /** What it is good for, in half a sentence. */
  use: string
  ready: boolean
}

export const FOR_EVERYBODY: readonly Module[] = [
  {
    key: 'my_schedule',
    label: 'Meine Termine',
    use: 'Wann arbeite ich als Nächstes, und wer übernimmt?',
    ready: true,
  },
  {
    key: 'my_absences',
    label: 'Meine Abwesenheiten',
    use: 'Urlaub und freie Tage beantragen, Krankmeldung hochladen',
    ready: true,
  },
  {
    key: 'my_times',
    label: 'Meine Zeiten',
    use: 'Jeder Stempel im selben Moment, Korrektur mit zwei Handgriffen',
    ready: true,
  },
  {
    key: 'my_account',
    label: 'Zeitkonto',
    use: 'Soll, Ist und Resturlaub, dazu ein Monatsnachweis, den man selbst prüfen kann',
    ready: true,
  },
  {
    key: 'my_messages',
    label: 'Meine Nachrichten',
    use: 'Übergaben beantworten, Entscheidungen lesen',
    ready: true,
  },
]

export const FOR_THE_OFFICE: readonly Module[] = [
  { key: 'present', label: 'Anwesende Mitarbeiter', use: 'wer gerade da ist', ready: false },
  { key: 'schedule', label: 'Dienstplan verwalten', use: 'Dienste planen und übergeben', ready: false },
  { key: 'absences', label: 'Abwesenheiten bestätigen', use: 'Anträge und Korrekturen', ready: false },
  { key: 'hours_config', label: 'Arbeitszeiten konfigurieren', use: 'Soll, Pausen, Feiertage', ready: false },
  { key: 'monthly_mail', label: 'Daten Export', use: 'CSV, Excel und DATEV', ready: false },
  { key: 'costs', label: 'Mitarbeiterkosten einsehen', use: 'Stunden in Euro', ready: false },
  { key: 'manage_employees', label: 'Mitarbeiter verwalten', use: 'Logins, Chips, Import', ready: false },
  { key: 'devices', label: 'Geräte verwalten', use: 'Uhren und ihr Zustand', ready: false },
  { key: 'error_log', label: 'Fehlerlog', use: 'was Uhren melden', ready: false },
  { key: 'data_view', label: 'Gespeicherte Firmendaten sehen', use: 'alles, was da ist', ready: false },
  { key: 'privacy', label: 'Datenschutz zustimmen', use: 'nachlesen und zustimmen', ready: false },
]

export const isReady = (key: string) =>
  [...FOR_EVERYBODY, ...FOR_THE_OFFICE].some(module => module.key === key && module.ready)
