import { MODULES } from '../../entities/modules/texts'

const NUMBER = new Intl.NumberFormat('de-DE')
const number = (value: number) => NUMBER.format(value)

const TABLES: Readonly<Record<string, string>> = {
  users: 'Personen',
  person_values: 'Angaben zu Personen',
  tag_holdings: 'Wer wann einen Tag hatte',
  devices: 'Stempeluhren',
  device_assignments: 'Zuordnungen der Uhren',
  stamps: 'Stempel',
  entries: 'Zeiteinträge',
  person_numbers: 'Nummern der Personen',
  resolutions: 'Entschiedene Stempel',
  review_confirmations: 'Prüfliste: so gelassen',
  time_corrections: 'Korrekturanträge',
  corrections: 'Zeitkorrekturen',
  voids: 'Gelöschte Einträge',
  duties: 'Dienste',
  told_duties: 'Veröffentlichte Dienste',
  swap_requests: 'Übergaben',
  vacation_requests: 'Urlaub und Wunschfrei',
  absences: 'Abwesenheiten',
  free_days: 'Freie Tage',
  closures: 'Betriebsferien',
  vacation_notices: 'Urlaubshinweise',
  bookings: 'Buchungen',
  kept_balances: 'Überträge',
  statements: 'Zeitnachweise',
  exports: 'Exporte',
  month_locks: 'Gesperrte Monate',
  payroll_mappings: 'Lohnarten',
  export_mails: 'Gesendete Exporte',
  compensation_values: 'Stundensätze und Löhne',
  companies: 'Firma',
  company_features: 'Module',
  company_settings: 'Einstellungen',
  releases: 'Freigaben',
  privacy_consents: 'Zustimmung zum Datenschutz',
  company_archives: 'Heruntergeladene Archive',
  support_messages: 'Nachrichten an den Support',
  support_replies: 'Antworten des Supports',
  audit_entries: 'Änderungsprotokoll',
  export_settings: 'Export-Einstellungen',
}

const STATES = {
  open: 'offen',
  pending: 'offen',
  approved: 'genehmigt',
  accepted: 'angenommen',
  excused: 'entschuldigt',
  declined: 'abgelehnt',
  rejected: 'abgelehnt',
  cancelled: 'storniert',
  withdrawn: 'zurückgezogen',
  void: 'hinfällig',
  waiting: 'wartet',
  running: 'läuft',
  in_progress: 'in Arbeit',
  done: 'fertig',
  sent: 'gesendet',
  failed: 'gescheitert',
  closed: 'erledigt',
}
/** By member: what its values are called. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  role: { user: 'Mitarbeiter', companyAdmin: 'Firmen-Admin', admin: 'System-Admin' },
  kind: {
    sick: 'krank',
    missing: 'gefehlt',
    special: 'besonderer Anlass',
    vacation: 'Urlaub',
    wish: 'Wunschfrei',
  },
  status: STATES,
  state: STATES,
  progress: STATES,
  feature: MODULES,
  format: { xlsx: 'Excel', csv: 'CSV', pdf: 'PDF', lodas: 'LODAS', lug: 'Lohn und Gehalt' },
  delivery: { file: 'Datei im Anhang', link: 'Link', zip: 'Verschlüsselte ZIP-Datei' },
  category: { question: 'Frage', incident: 'Störung', billing: 'Abrechnung', feature: 'Wunsch' },
  priority: { low: 'niedrig', normal: 'normal', high: 'hoch', urgent: 'dringend' },
}

/** What a value is called in our words; undefined where it has none. */
export function wordOf(member: string, value: unknown): string | undefined {
  const words = Object.hasOwn(VALUES, member) ? VALUES[member] : undefined
  return words !== undefined && Object.hasOwn(words, String(value)) ? words[String(value)] : undefined
}

export const texts = {
  title: 'Gespeicherte Firmendaten sehen',
  lead: 'Was über deine Firma gespeichert ist, Tabelle für Tabelle. Passwörter, Tag-IDs, Krankmeldungen und persönliche Nachrichten stehen nicht dabei.',
  failed: 'Firmendaten konnten nicht geladen werden.',
  unreachable: 'Kein Dump-Endpoint und keine bekannten Tabellen erreichbar.',
  nothingSeen: 'Hier ist gerade nichts zu sehen.',
  number,
  tables: 'Tabellen',
  table: 'Tabelle',
  nameOf: (table: string) => TABLES[table] ?? table,
  countOf: (table: string, count: number) => `${TABLES[table] ?? table} (${number(count)})`,
  limit: 'Höchstens',
  limits: { 50: '50', 100: '100', 500: '500', 0: 'kein Limit' } as Readonly<Record<number, string>>,
  shown: (rows: number, count: number) =>
    rows === count ? `${number(count)} Zeilen` : `${number(rows)} von ${number(count)} Zeilen`,
  filter: 'Filtern',
  filterHint: 'Text in den Zeilen',
  json: 'Als JSON',
  csv: 'Als CSV',
  reload: 'Neu laden',
  row: 'Zeile',
  archive: 'Alles als Archiv',
  archiveLead:
    'Eine Zip-Datei: von jeder Person alles Gespeicherte, dazu Exporte, Zeiten als Tabellen und die Papiere zum Datenschutz. Sie wird nirgends aufgehoben.',
  archiveTake: 'Archiv herunterladen',
  archiveFailed: 'Archiv konnte nicht heruntergeladen werden.',
  archiveTaking: (done: number, of: number) => `Person ${done} von ${of}`,
  archiveLast: (day: string, by: string) => `Zuletzt vollständig heruntergeladen am ${day} von ${by}.`,
  somebody: 'jemandem, den es nicht mehr gibt',
  noTables: 'Keine Tabellen gefunden.',
  noRows: 'Keine Daten (ggf. Filter zu streng?).',
  choose: 'Bitte wähle eine Tabelle links aus.',
  none: '–',
  yes: 'ja',
  no: 'nein',
} as const
