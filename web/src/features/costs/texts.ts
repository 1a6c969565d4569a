import { monthName } from '../../ui/months'
import type { Config, Mode } from './useCosts'

const MONEY = new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' })
const WHOLE_EUROS = new Intl.NumberFormat('de-DE', {
  style: 'currency',
  currency: 'EUR',
  maximumFractionDigits: 0,
})
const HOURS = new Intl.NumberFormat('de-DE', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

const euros = (cents: number) => MONEY.format(cents / 100)

export const texts = {
  title: 'Mitarbeiterkosten einsehen',
  lead: 'Stunden eines Monats in Euro, nach den Sätzen deiner Firma. Ohne Zuschläge und Arbeitgeberanteile.',
  failed: 'Kosten konnten nicht berechnet werden.',
  yearFailed: 'Daten konnten nicht geladen werden.',
  configFailed: 'Konfiguration konnte nicht geladen werden.',
  saved: 'Konfiguration gespeichert.',
  saveFailed: 'Speichern fehlgeschlagen.',

  euros,
  wholeEuros: (cents: number) => WHOLE_EUROS.format(cents / 100),
  hours: (hours: number) => (hours === 0 ? '–' : HOURS.format(hours)),

  month: (month: string) => `Kosten im ${monthName(month)}`,
  file: (month: string) => `kosten-${month}`,
  draft: 'Monat läuft noch',
  name: 'Name',
  worked: 'Stunden',
  night: 'Nacht',
  sunday: 'Sonntag',
  holiday: 'Feiertag',
  rate: 'Satz',
  rateFor: {
    hourly: (cents: number) => `${euros(cents)}/Std.`,
    monthly: (cents: number) => `${euros(cents)}/Monat`,
  },
  cost: 'Kosten',
  missing: 'kein Satz',
  whole: 'ganzer Monatslohn',
  underMinimum: 'unter Mindestlohn',
  empty: 'In diesem Monat gibt es keine Kosten.',
  sums: 'Stunden ohne Pausen, als Dezimalzahl. Nacht, Sonntag und Feiertag nach § 3b EStG.',
  underMinimumOf: (names: string, minimum: number) =>
    `Unter dem Mindestlohn von ${euros(minimum)} in der Stunde: ${names}. Prüfe, ob eine Ausnahme gilt.`,
  wholeOf: (names: string) =>
    `Mit dem ganzen Monatslohn gerechnet, obwohl nur einen Teil des Monats beschäftigt: ${names}.`,
  missingOf: (names: string) => `Ohne Stundensatz oder Monatslohn, deshalb mit 0 gerechnet: ${names}.`,

  year: (year: number) => `Kosten ${year}`,
  yearShown: (year: number) => `Kosten der zwölf Monate ${year}`,
  amounts: 'Beträge der Monate',
  inDraft: (amount: string) => `${amount} (läuft noch)`,
  total: 'Zusammen',

  config: 'Stundensätze und Löhne',
  configLead:
    'Wer keinen eigenen Satz hat, wird mit dem Stundensatz für alle gerechnet. Fehlt bei festen Monatslöhnen ein Monatslohn, zählt 0.',
  mode: 'Berechnung',
  modes: {
    uniform: 'Einheitlicher Stundensatz',
    department: 'Abteilungs-Sätze',
    perUserHourly: 'Individuelle Stundensätze',
    perUserMonthly: 'Feste Monatslöhne',
  } satisfies Record<Mode, string>,
  default: 'Stundensatz für alle (€)',
  example: ({ minimumWageCents }: Config) =>
    minimumWageCents === 0 ? '' : `z. B. ${euros(minimumWageCents)}, der Mindestlohn`,
  rateOf: (name: string) => `${name}: Stundensatz (€)`,
  wageOf: (name: string) => `${name}: Monatslohn (€)`,
  departmentOf: (name: string) => `${name}: Abteilung`,
  noDepartments: 'Noch keine Abteilungen. Trag sie bei den Mitarbeitenden ein.',
  noDepartment: '– keine –',
  assign: 'Abteilungen zuordnen',
  noPeople: 'Noch keine Mitarbeitenden.',
  readsAs: (cents: number) => `Gelesen als ${euros(cents)}`,
  lately: 'zuletzt',
  noMoney: 'Bitte als Betrag, etwa 12,82.',
  validFrom: 'Gilt ab',
  validFromHint: 'Leer heißt: für alle Zeit, auch für vergangene Monate.',
  save: 'Sätze speichern',
} as const
