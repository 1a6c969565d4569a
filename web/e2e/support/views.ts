/** Views as a clock's agent sends them, for the tests of the touchscreen. */
import type { Answer, Scanner, View } from '../../src/kiosk/view'

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
  after: 'a-0',
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
  openHandovers: null,
  unreadMessages: null,
  sent: true,
  tag: '04A1B2C3D4E5F6',
  since: null,
  stampId: 's-1',
  question: null,
  questionDate: null,
  openSince: null,
  warnings: [],
  requested: false,
  until: '2026-11-20T06:58:05.500Z',
}

export function answering(answer: Partial<Answer>, view: Partial<View> = {}): View {
  return { ...IDLE, screen: 'answer', ...view, answer: { ...ANSWER, ...answer } }
}

const LONG_NAME = 'Maximiliane-Charlotte von Hohenstein-Schlüterburg'
const NO_FIGURES = { todayMinutes: null, balanceMinutes: null }
const FIGURES = { todayMinutes: 640, balanceMinutes: -6_025 }
const REMARK: Partial<Answer> = { kind: 'out', time: '19:21', warnings: ['over_10_h'] }
const SHORT_REST: Partial<Answer> = { kind: 'in', time: '05:15', warnings: ['short_rest'] }
const OWN_LIMITS: Partial<Answer> = {
  limits: { shiftMinutes: 510, restMinutes: 720, night: ['20:00', '06:00'] },
}
const LONG_NIGHT: Partial<Answer> = {
  ...REMARK,
  ...OWN_LIMITS,
  time: '21:21',
  warnings: ['over_10_h', 'night'],
}
const EARLY_NIGHT: Partial<Answer> = { ...SHORT_REST, ...OWN_LIMITS, warnings: ['short_rest', 'night'] }
const WAITING: Partial<Answer> = { openHandovers: 12, unreadMessages: 148 }
const UNKNOWN_PERSON: Partial<Answer> = {
  kind: 'unknown',
  name: null,
  todayMinutes: null,
  balanceMinutes: null,
  sent: false,
}
const NOW = { now: '2026-11-20T17:21:03.000Z' }
const DIRECTION: Partial<Answer> = {
  kind: 'out',
  time: '18:21',
  question: 'direction',
  openSince: '2026-11-19T19:02:00.000Z',
}
const ALREADY_GONE: Partial<Answer> = { time: '18:21', question: 'gone', questionDate: '2026-11-19' }
const GONE_SINCE: Partial<Answer> = { ...ALREADY_GONE, openSince: '2026-11-19T13:07:00.000Z' }
const GONE_TODAY: Partial<Answer> = {
  ...ALREADY_GONE,
  questionDate: '2026-11-20',
  openSince: '2026-11-20T13:07:00.000Z',
}
const UNASSIGNED: View = {
  ...IDLE,
  screen: 'unassigned',
  companyName: null,
  clockName: '',
  claimCode: '7K3MQX9P',
}

/** Every state of the touchscreen, each with the longest that it may have to show. */
export const SCANNER: Scanner = {
  serial: 'SW-BEACON-000042',
  name: 'Scanner 1',
  version: '1.0.0',
  battery: 71,
  charging: true,
  log: { used: 0, capacity: 6144 },
  lastSeen: '2026-11-20T16:57:30.000Z',
  connected: true,
  forgetting: false,
  update: null,
}
/** Other states of a scanner. */
export const OTHERWISE: Partial<Scanner>[] = [
  {},
  { connected: false, log: { used: 148, capacity: 6144 }, lastSeen: '2026-09-23T04:02:00.000Z' },
  { update: { version: '1.10.0-rc.12', state: 'sending' } },
  { battery: null, update: { version: '1.10.0', state: 'failed' } },
  { connected: false, forgetting: false, battery: 4, charging: false },
  { forgetting: true, log: { used: 1, capacity: 6144 } },
]

export const scannersPage = (scanners: Scanner[], adopted: string[] = []): View => ({
  ...IDLE,
  ...NOW,
  adopting: { until: '2026-11-20T17:26:03.000Z', adopted, scanners },
})

export const STATES: Readonly<Record<string, View>> = {
  idle: IDLE,
  offline: { ...IDLE, connection: 'offline', queued: 3 },
  'a version on trial': {
    ...IDLE,
    update: { state: 'trying', version: '1.10.12' },
    connection: 'offline',
    queued: 120,
  },
  'not connected': { ...IDLE, connection: 'not_connected', queued: 12, timeTrusted: false },
  'long names': {
    ...IDLE,
    companyName: 'Gebrüder Hohenstein Möbelwerkstätten GmbH & Co. KG',
    connection: 'not_connected',
    queued: 12,
    timeTrusted: false,
  },
  'chosen in': { ...IDLE, chosen: 'in' },
  'chosen out': { ...IDLE, chosen: 'out' },
  'reader fault': { ...IDLE, reader: 'fault' },
  'reader absent': { ...IDLE, reader: 'absent' },
  'storage failed': {
    ...IDLE,
    storage: 'failed',
    connection: 'not_connected',
    queued: 12,
    timeTrusted: false,
  },
  notice: { ...IDLE, notice: 'unreadable_tag' },
  'too late': { ...IDLE, notice: 'too_late' },
  'too late, another answers': answering({ ...REMARK, ...FIGURES, name: LONG_NAME }, { notice: 'too_late' }),
  'too late, another is asked': answering(GONE_SINCE, { ...NOW, notice: 'too_late' }),
  in: answering({}),
  'in, offline': answering({ sent: false, time: '11:11' }, { connection: 'offline', queued: 1 }),
  'in, no figures': answering(NO_FIGURES),
  'in, long name': answering({ name: LONG_NAME, sent: false }),
  'in, two-line name': answering({ name: 'Katharina-Luise Zimmermann' }),
  'in with a remark': answering({ ...SHORT_REST, sent: false }),
  'in with a remark, long name': answering({ ...SHORT_REST, ...FIGURES, name: LONG_NAME }),
  out: answering({ kind: 'out', sent: false, time: '16:31', todayMinutes: 482, balanceMinutes: -25 }),
  'out, long name': answering({ kind: 'out', ...FIGURES, time: '20:00', name: LONG_NAME }),
  'out, two-line name': answering({ kind: 'out', ...FIGURES, name: 'Katharina-Luise Zimmermann' }),
  'out, one word': answering({
    kind: 'out',
    ...FIGURES,
    name: 'Oberhofmarschallamtsangelegenheitenverwalter',
  }),
  'out with a remark': answering({ ...REMARK, ...FIGURES }),
  'out with a remark, two-line name': answering({
    ...REMARK,
    ...FIGURES,
    name: 'Katharina-Luise Zimmermann',
  }),
  'out with a remark, long name': answering({ ...REMARK, ...FIGURES, name: LONG_NAME, sent: false }),
  'in, something waits': answering({ openHandovers: 2, unreadMessages: 1 }),
  'in, a message': answering({ unreadMessages: 1 }),
  'in, a message, two-line name': answering({ unreadMessages: 148, name: 'Katharina-Luise Zimmermann' }),
  'in, a message, long name': answering({ unreadMessages: 148, ...FIGURES, name: LONG_NAME }),
  'in, a message, no figures': answering({ ...NO_FIGURES, unreadMessages: 1 }),
  'in, a message, no figures, long name': answering({ ...NO_FIGURES, unreadMessages: 1, name: LONG_NAME }),
  'in, something waits, no figures, long name': answering({ ...NO_FIGURES, ...WAITING, name: LONG_NAME }),
  'in with a remark, no figures, long name': answering({ ...SHORT_REST, ...NO_FIGURES, name: LONG_NAME }),
  'in, something waits, two-line name': answering({ ...WAITING, name: 'Katharina-Luise Zimmermann' }),
  'in, something waits, long name': answering({ ...WAITING, ...FIGURES, name: LONG_NAME, sent: false }),
  'out, something waits': answering({ kind: 'out', time: '16:31', ...WAITING, ...FIGURES }),
  'out, a hand-over': answering({ kind: 'out', time: '16:31', openHandovers: 1 }),
  'in with two remarks': answering({ ...EARLY_NIGHT, sent: false }),
  'in with two remarks, long name': answering({ ...EARLY_NIGHT, ...FIGURES, name: LONG_NAME }),
  'out with two remarks': answering({ ...LONG_NIGHT, ...FIGURES }),
  'out with two remarks, long name': answering({ ...LONG_NIGHT, ...FIGURES, name: LONG_NAME, sent: false }),
  'out with a remark, something waits': answering({ ...REMARK, ...FIGURES, ...WAITING }),
  requested: answering({ requested: true, time: '18:21' }),
  'requested, something waits': answering({ requested: true, ...WAITING, sent: false }),
  'requested, long name': answering({ requested: true, ...FIGURES, name: LONG_NAME }),
  'double tap': answering({ kind: 'double_tap', since: '07:58', todayMinutes: 482 }),
  'double tap, long name': answering({ kind: 'double_tap', since: '07:58', ...FIGURES, name: LONG_NAME }),
  'unknown, 8 digits': answering({ ...UNKNOWN_PERSON, tag: '04A1B2C3' }),
  'unknown, 14 digits': answering(UNKNOWN_PERSON),
  'unknown, 20 digits': answering({ ...UNKNOWN_PERSON, tag: '04112233445566778899', sent: true }),
  'unknown, a word': answering({ ...UNKNOWN_PERSON, tag: `${'WERKSTATT.TOR-'.repeat(4)}12345678` }),
  'not saved': answering({ kind: 'not_saved', sent: false, name: null }),
  'not saved, long name': answering({ kind: 'not_saved', sent: false, name: LONG_NAME }),
  'in, a steward': answering({ steward: true }),
  'out, a steward, long name': answering({
    kind: 'out',
    ...FIGURES,
    name: LONG_NAME,
    steward: true,
    sent: false,
  }),
  'out with a remark, a steward': answering({ ...REMARK, ...FIGURES, steward: true }),
  'in, something waits, a steward': answering({ ...WAITING, ...FIGURES, steward: true, sent: false }),
  'double tap, a steward': answering({ kind: 'double_tap', since: '07:58', ...FIGURES, steward: true }),
  adopting: { ...IDLE, ...NOW, adopting: { until: '2026-11-20T17:26:03.000Z', adopted: [] } },
  'adopting, some adopted': {
    ...IDLE,
    ...NOW,
    adopting: {
      until: '2026-11-20T17:22:14.000Z',
      adopted: Array.from({ length: 12 }, (_, one) => `SW-BEACON-0000${10 + one}`),
    },
  },
  scanners: scannersPage([SCANNER]),
  'scanners, many': scannersPage(
    Array.from({ length: 12 }, (_, one) => ({
      ...SCANNER,
      name: `Scanner ${one + 1}`,
      serial: `SW-BEACON-0000${10 + one}`,
      ...OTHERWISE[one % OTHERWISE.length],
    })),
    ['SW-BEACON-000021'],
  ),
  direction: answering({ ...DIRECTION, ...FIGURES, warnings: ['over_10_h'] }),
  'direction, long name': answering({ ...DIRECTION, name: LONG_NAME, sent: false }),
  gone: answering(ALREADY_GONE, NOW),
  'gone, came today': answering(GONE_TODAY, NOW),
  'gone, came another day': answering(GONE_SINCE, NOW),
  'gone, long name': answering({ ...GONE_SINCE, name: LONG_NAME, sent: false }, NOW),
  unassigned: UNASSIGNED,
  'unassigned, no code': { ...UNASSIGNED, claimCode: null, connection: 'not_connected', timeTrusted: false },
  'unassigned, a full disk': { ...UNASSIGNED, storage: 'failed' },
}
