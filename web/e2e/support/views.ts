/** Views as a clock's agent sends them, for the tests of the touchscreen. */
import type { Answer, View } from '../../src/kiosk/view'

export const IDLE: View = {
  screen: 'idle',
  zone: 'Europe/Berlin',
  clockName: 'Werkstatt',
  companyName: 'Tischlerei Holm',
  claimCode: null,
  connection: 'online',
  queued: 0,
  reader: 'ok',
  storage: 'ok',
  timeTrusted: true,
  chosen: null,
  chosenUntil: null,
  notice: null,
  answer: null,
}

export const ANSWER: Answer = {
  key: 'a-1',
  kind: 'in',
  name: 'Mia Sommer',
  time: '07:58',
  todayMinutes: 0,
  balanceMinutes: 250,
  sent: true,
  tag: '04A1B2C3D4E5F6',
  since: null,
  stampId: 's-1',
  question: null,
  questionDate: null,
  openSince: null,
  warnings: [],
  until: '2026-11-20T06:58:05.500Z',
}

export function answering(answer: Partial<Answer>, view: Partial<View> = {}): View {
  return { ...IDLE, screen: 'answer', ...view, answer: { ...ANSWER, ...answer } }
}
