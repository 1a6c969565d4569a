import { longDay } from '../../ui/days'
import { monthName } from '../../ui/months'

const NUMBER = new Intl.NumberFormat('de-DE')
const km = (kilometres: number) => `${NUMBER.format(kilometres)}\u00a0km`

export const texts = {
  title: 'Dienstfahrten',
  lead: 'Fahrten mit dem eigenen Auto, die deine Firma zahlen soll.',
  failed: 'Die Dienstfahrten konnten nicht geladen werden.',
  waiting: 'Zu entscheiden',
  nothingWaits: 'In diesem Monat wartet keine Fahrt auf dich.',
  empty: 'In diesem Monat gibt es keine Dienstfahrten.',
  month: (month: string) => `Alle Fahrten im ${monthName(month)}`,
  file: (month: string) => `dienstfahrten-${month}`,

  km,
  nameOf: (name: string, day: string) => `${name}, ${longDay(day)}`,
  line: (day: string, destination: string, kilometres: number) =>
    `${longDay(day)}, ${destination}, ${km(kilometres)}`,
  name: 'Name',
  day: 'Tag',
  destination: 'Ziel',
  kilometres: 'Kilometer',
  kilometresHint: 'Hin und zurück, in ganzen Kilometern.',
  purpose: 'Zweck',
  destinationAndPurpose: 'Ziel und Zweck',
  state: 'Stand',
  states: { pending: 'offen', approved: 'genehmigt', declined: 'abgelehnt' },

  approve: 'Genehmigen',
  decline: 'Ablehnen',
  approved: 'Dienstfahrt genehmigt.',
  declined: 'Dienstfahrt abgelehnt.',
  decisionFailed: 'Die Entscheidung konnte nicht gesendet werden.',

  howItGoes: 'Reiche eine Fahrt nach der anderen ein. Was entschieden wurde, steht in deinen Nachrichten.',
  ask: 'Dienstfahrt einreichen',
  send: 'Einreichen',
  asked: 'Dienstfahrt eingereicht.',
  askFailed: 'Die Dienstfahrt konnte nicht eingereicht werden.',
  fillIn: 'Bitte ausfüllen.',
  noKilometres: 'Bitte als ganze Zahl von 1 bis 5000.',
} as const
