import { monthName } from '../../ui/months'

/** What the service calls what was looked at. */
const KINDS = {
  times: 'Zeiten',
  account: 'Zeitkonto',
  statement: 'Stundennachweis',
  review: 'Prüfliste',
  attendance: 'Anwesenheit',
  corrections: 'Korrekturen',
  held: 'Wartende Stempel',
  absences: 'Abwesenheiten',
} as const

export const texts = {
  offline: 'Ohne Verbindung zum Server ist hier nichts zu lesen.',
  lead: 'Was du hier ansiehst, sieht die Verwaltung nicht.',
  person: 'Person',
  day: 'Tag',
  from: 'Von',
  to: 'Bis',

  timesTitle: 'Zeiten und Konten',
  choosePerson: 'Wähle, wessen Zeiten du lesen willst.',
  nobodyFound: 'Niemand heißt so.',
  peopleFailed: 'Die Personen konnten nicht geladen werden.',
  accountFailed: 'Das Zeitkonto konnte nicht geladen werden.',
  account: (month: string) => `Zeitkonto im ${monthName(month)}`,
  target: 'Soll',
  actual: 'Ist',
  credited: 'Gutschriften',
  balance: 'Saldo des Monats',
  toDate: 'Saldo bis heute',

  planTitle: 'Dienstplan der Firma',
  planFailed: 'Der Dienstplan konnte nicht geladen werden.',
  plan: (month: string) => `Dienste im ${monthName(month)}`,
  noDuties: 'In diesem Monat ist niemand eingeteilt.',
  duty: 'Dienst',
  search: 'Person suchen',

  looksTitle: 'Wer hat Zeiten angesehen?',
  looksLead:
    'Wer von der Verwaltung wessen Zeiten und Abwesenheiten angesehen hat, je Stunde einmal. Auch dieses Protokoll sieht nur der Betriebsrat.',
  looks: 'Zugriffe',
  looksFailed: 'Die Zugriffe konnten nicht geladen werden.',
  noLooks: 'In dieser Zeit hat niemand Zeiten angesehen.',
  at: 'Zeit',
  who: 'Wer',
  whose: 'Wessen',
  what: 'Was',
  kinds: KINDS,
  everybody: 'die ganze Firma',
  unknown: 'Unbekannt',
  failed: 'Die Zugriffe konnten nicht geladen werden.',
  more: 'Weitere laden',
  noMore: 'Ältere Zugriffe gibt es nicht.',
  moreFailed: 'Weitere Zugriffe konnten nicht geladen werden.',
}
