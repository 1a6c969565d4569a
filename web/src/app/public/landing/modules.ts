/** The product's modules under their menu names. `missing` ones are marked as in development. */
export interface Module {
  /** The key of an employee page or of a company's module. */
  key: string
  label: string
  /** Its benefit, in half a sentence. */
  use: string
}

export const FOR_EVERYBODY: readonly Module[] = [
  {
    key: 'my_schedule',
    label: 'Meine Termine',
    use: 'Wann arbeite ich als Nächstes, und wer übernimmt?',
  },
  {
    key: 'my_absences',
    label: 'Meine Abwesenheiten',
    use: 'Urlaub und freie Tage beantragen, Krankmeldung hochladen',
  },
  {
    key: 'my_times',
    label: 'Meine Zeiten',
    use: 'Jeder Stempel im selben Moment, Korrektur mit zwei Handgriffen',
  },
  {
    key: 'my_account',
    label: 'Zeitkonto',
    use: 'Soll, Ist und Resturlaub, dazu ein Monatsnachweis, den man selbst prüfen kann',
  },
  {
    key: 'my_messages',
    label: 'Meine Nachrichten',
    use: 'Übergaben beantworten, Entscheidungen lesen',
  },
]

export const FOR_THE_OFFICE: readonly Module[] = [
  { key: 'present', label: 'Anwesende Mitarbeiter', use: 'wer gerade da ist' },
  { key: 'schedule', label: 'Dienstplan verwalten', use: 'Dienste planen und übergeben' },
  { key: 'absences', label: 'Abwesenheiten bestätigen', use: 'Anträge und Korrekturen' },
  { key: 'hours_config', label: 'Arbeitszeiten konfigurieren', use: 'Soll, Pausen, Feiertage' },
  { key: 'monthly_mail', label: 'Daten Export', use: 'CSV, Excel und DATEV' },
  { key: 'costs', label: 'Mitarbeiterkosten einsehen', use: 'Stunden in Euro' },
  { key: 'manage_employees', label: 'Mitarbeiter verwalten', use: 'Logins, Chips, Import' },
  { key: 'devices', label: 'Geräte verwalten', use: 'Uhren und ihr Zustand' },
  { key: 'error_log', label: 'Fehlerlog', use: 'was Uhren melden' },
  { key: 'data_view', label: 'Gespeicherte Firmendaten sehen', use: 'alles, was da ist' },
  { key: 'privacy', label: 'Datenschutz zustimmen', use: 'nachlesen und zustimmen' },
]
