/** What the checker says. Whoever reads it may have nothing but the file, so it explains itself. */
import { monthName } from '../../ui/months'
import type { Code, Finding, Statement, Step } from './check'

/** A file may name a month that is none. */
const monthOf = (month: string) => {
  try {
    return monthName(month)
  } catch {
    return month
  }
}
const quoted = (name: string) => `„${name}“`

const statementName = ({ person, company, month }: Statement) =>
  `der Zeitnachweis von ${person.username} (${company.name}) für ${monthOf(month)}`

const FAULTS: Readonly<Partial<Record<Code, (name: string) => string>>> = {
  format: name => `Nicht echt: ${quoted(name)} hat nicht die Form eines Zeitnachweises.`,
  not_canonical: name => `Nicht echt: ${quoted(name)} ist anders geschrieben als bei der Unterschrift.`,
  unknown_key: name => `Nicht echt: ${quoted(name)} trägt keinen Schlüssel dieser Installation.`,
  signature: name => `Nicht echt: ${quoted(name)} wurde nach der Unterschrift verändert.`,
  sums: name => `Nicht echt: ${quoted(name)} ist unterschrieben, aber die Zahlen darin widersprechen sich.`,
}

const ADVICE: Readonly<Partial<Record<Code, string>>> = {
  format:
    'Wähle die Datei, die mit „zeitnachweis-“ beginnt und auf „.json“ endet. Es gibt sie neben dem PDF.',
  not_canonical:
    'Das kann schon passieren, wenn ein Programm die Datei geöffnet und neu gespeichert hat. Lass dir die Datei noch einmal so geben, wie sie heruntergeladen wurde.',
  unknown_key:
    'Geprüft wird nur, was diese Installation unterschrieben hat. Ein Nachweis von woanders lässt sich nur dort prüfen.',
  signature: 'Lass dir die Datei noch einmal so geben, wie sie heruntergeladen wurde.',
  sums: 'Das dürfte nicht vorkommen. Bitte melde es dem Betreiber dieser Installation.',
}

export const texts = {
  title: 'Nachweis prüfen',
  needsScript: 'Die Prüfung rechnet hier im Browser und braucht dafür JavaScript.',
  lead: 'Ist ein Zeitnachweis echt und unverändert? Die Datei bleibt auf diesem Gerät: Geprüft wird hier im Browser, ohne Anmeldung und auch ohne Netz.',

  choose: 'Datei wählen',
  drop: 'oder hierher ziehen',
  which: 'Die JSON-Datei eines Monats, auf Wunsch zusammen mit der Datei, die davor ausgestellt wurde.',
  filesLabel: 'Zeitnachweis als JSON-Datei, höchstens zwei',
  tooMany: 'Es lassen sich höchstens zwei Dateien zusammen prüfen.',
  tooLarge: (name: string) => `${quoted(name)} ist viel zu groß für einen Zeitnachweis.`,
  unreadable: (name: string) => `${quoted(name)} ließ sich nicht lesen.`,
  busy: 'Wird geprüft …',

  keysFailed: 'Die Schlüssel dieser Installation konnten nicht geladen werden.',
  keysKept: (day: string) => `Ohne Verbindung: geprüft wird mit den Schlüsseln vom ${day}.`,
  keysNone: 'Diese Installation hat noch keinen Schlüssel.',

  genuine: (statement: Statement) => `Echt: ${statementName(statement)} ist unverändert.`,
  chained: (statement: Statement, before: Statement) =>
    before.month === statement.month
      ? `Echt: ${statementName(statement)} ist unverändert und folgt direkt auf seine vorige Fassung.`
      : `Echt: ${statementName(statement)} ist unverändert und schließt direkt an den für ${monthOf(before.month)} an.`,
  apart: (statement: Statement) =>
    `Echt, aber nicht verbunden: Beide Dateien sind unverändert, doch ${statementName(statement)} schließt nicht an die andere an.`,
  isPdf: (name: string) =>
    `Nicht prüfbar: ${quoted(name)} ist ein PDF, zum Lesen. Ob der Nachweis echt ist, zeigt die JSON-Datei dazu.`,
  isNone: (name: string) => `Nicht prüfbar: ${quoted(name)} ist kein Zeitnachweis. Geprüft wurde nichts.`,
  not: ({ code }: Finding, name: string) => (FAULTS[code] ?? FAULTS.format)?.(name) ?? '',
  advice: ({ code, at }: Finding) =>
    at === 'shape'
      ? 'Die Unterschrift stimmt, aber dieses Prüfprogramm kennt die Form nicht. Lade die Seite neu und prüfe noch einmal.'
      : (ADVICE[code] ?? ''),

  needs: (month: string) =>
    `Dass dazwischen nichts fehlt, zeigt erst der davor ausgestellte Nachweis: der für ${monthOf(month)}.`,
  needsAlso: (month: string) =>
    `Gebraucht wird der Nachweis für ${monthOf(month)} mit genau dieser Prüfsumme:`,
  isFirst: 'Es ist der erste Nachweis dieser Person: Davor wurde keiner ausgestellt.',
  add: 'Vorigen Nachweis dazu prüfen',
  addLabel: 'Voriger Zeitnachweis als JSON-Datei',

  steps: 'Was geprüft wurde',
  /** What holds, what does not, and what was not looked at any more: each in words that agree with their state. */
  step: {
    file: {
      passed: 'Es ist ein Zeitnachweis.',
      failed: 'Es ist kein Zeitnachweis.',
      notReached: 'die Art der Datei',
    },
    spelling: {
      passed: 'Er ist Zeichen für Zeichen so geschrieben, wie er unterschrieben wurde.',
      failed: 'Er ist anders geschrieben, als er unterschrieben wurde.',
      notReached: 'die Schreibweise',
    },
    key: {
      passed: 'Der Schlüssel gehört dieser Installation.',
      failed: 'Der Schlüssel gehört nicht dieser Installation.',
      notReached: 'der Schlüssel',
    },
    signature: {
      passed: 'Die Unterschrift passt zum Inhalt.',
      failed: 'Die Unterschrift passt nicht zum Inhalt.',
      notReached: 'die Unterschrift',
    },
    shape: {
      passed: 'Es steht alles darin, was dazugehört, und sonst nichts.',
      failed: 'Es fehlt etwas, oder es steht etwas darin, das nicht dazugehört.',
      notReached: 'die Vollständigkeit',
    },
    sums: {
      passed: 'Die Tage ergeben sich aus den Einträgen, die Summen aus den Tagen.',
      failed: 'Die Summen ergeben sich nicht aus den Tagen und Einträgen.',
      notReached: 'die Summen',
    },
    chain: {
      passed: 'Er schließt an den davor ausgestellten Nachweis an.',
      failed: 'Er schließt nicht an die andere Datei an.',
      notReached: 'der Anschluss',
    },
  } satisfies Record<Step, Record<'passed' | 'failed' | 'notReached', string>>,
  passed: 'Bestanden:',
  failed: 'Nicht bestanden:',
  notReached: 'Nicht mehr geprüft:',

  content: 'Was darin steht',
  person: 'Person',
  company: 'Firma',
  month: 'Monat',
  monthOf,
  madeAt: 'Ausgestellt',
  attested: 'Unterschrieben von',
  /** Of an installation that has no address of its own, the name alone. */
  attestedBy: (who: string, installation: string) => {
    if (installation === '') return who === 'operator' ? 'dem Betreiber' : who
    return who === 'operator' ? `dem Betreiber von ${installation}` : `${who}, ${installation}`
  },
  actual: 'Ist',
  credit: (kind: string) =>
    ({ holiday: 'Feiertage', vacation: 'Urlaub', absence: 'Entschuldigte Abwesenheit' })[kind] ?? kind,
  bookings: 'Buchungen',
  target: 'Soll',
  balance: 'Saldo des Monats',
  carried: 'Übertrag aus den Vormonaten',
  facts: 'Grundlage',
  factsOf: ({ entries, stamps, corrections, deletions }: Statement) =>
    [
      counted(entries.length, 'Eintrag', 'Einträge'),
      counted(stamps.length, 'Stempel', 'Stempel'),
      counted(corrections.length, 'Korrektur', 'Korrekturen'),
      counted(deletions.length, 'Löschung', 'Löschungen'),
    ].join(', '),
  digest: 'Prüfsumme (SHA-256)',
  before: 'Davor ausgestellt',
  beforeOf: (month: string) => `Nachweis für ${monthOf(month)}`,
  fileOf: (name: string) => `Datei ${quoted(name)}`,
} as const

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
