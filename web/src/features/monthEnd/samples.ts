import type { Sample } from '../feature'
import type { Difference, Finding, Kept, Mail, Mapping, Numbered, Settings } from './useMonthEnd'

const COMPANY = 'GET /api/companies/c-1'
const MONTH = '2026-10'

const finding = (
  code: string,
  userId: string | null,
  date: string | null = null,
  message = 'Ein Satz.',
  blocks = true,
): Finding => ({ code, userId, date, message, blocks })

const findings: readonly Finding[] = [
  finding('no_client_number', null, null, 'Die Mandantennummer fehlt.'),
  finding('no_personnel_number', 'u-4'),
  finding('no_personnel_number', 'u-5'),
  finding('duplicate_personnel_number', 'u-6'),
  finding('missing_end', 'u-4', '2026-10-13'),
  finding('missing_end', 'u-5', '2026-10-29'),
  finding('pending_correction', 'u-6', '2026-10-30'),
  finding('held_stamps', null, '2026-10-21'),
  finding('unmapped', null, null, 'Für „Krankheit“ ist keine Lohnart eingetragen.'),
  finding('unmapped_holiday', null, null, 'Für Feiertage ohne Arbeit ist keine Lohnart eingetragen.', false),
  finding('worked_on_leave', 'u-5', '2026-10-20', 'Gearbeitet an einem Tag mit Urlaub.', false),
  finding('no_holiday_region', null, null, 'Nicht für den ganzen Monat ist ein Bundesland gewählt.', false),
  finding('sick_over_42_days', 'u-6', '2026-10-15', 'Seit mehr als 42 Tagen krank.', false),
]

const keptFile = (id: string, format: string, createdAt: string, more: Partial<Kept> = {}): Kept => ({
  id,
  month: MONTH,
  format,
  createdAt,
  sha256: `3fa9c2d1${id}b7e04c55aa10`.padEnd(64, '0'),
  draft: false,
  changed: false,
  timesGone: false,
  ...more,
})

const exports: readonly Kept[] = [
  keptFile('x-3', 'xlsx', '2026-11-02T07:15:00.000Z', { changed: true }),
  keptFile('x-2', 'pdf', '2026-11-02T07:12:00.000Z'),
  keptFile('x-1', 'xlsx', '2026-10-30T10:00:00.000Z', { draft: true }),
  keptFile('x-0', 'csv', '2026-10-02T07:00:00.000Z', { month: '2026-09' }),
]

const difference: readonly Difference[] = [
  {
    userId: 'u-4',
    username: 'Finn Maurer',
    date: '2026-10-13',
    kind: 'work',
    before: null,
    after: 480,
    reason: 'correction',
    at: '2026-11-03T08:00:00.000Z',
  },
  {
    userId: 'u-5',
    username: 'Öznur Çelik',
    date: '2026-10-29',
    kind: 'work',
    before: 505,
    after: 475,
    reason: 'late_stamp',
    at: null,
  },
]

const mapping: Mapping = {
  adviserNumber: '1234567',
  clientNumber: null,
  wageTypes: {
    hours: '100',
    night: null,
    sunday: null,
    holiday: null,
    vacation: '200',
    sick: null,
    publicHoliday: null,
    overtime: null,
    night40: null,
    holiday150: null,
  },
  absenceKeys: { Umzug: 'UM' },
  costCentres: { Werkstatt: '10' },
}

const settings: Settings = {
  active: true,
  useGmail: false,
  recipients: ['buero@tischlerei-holm.example', 'lohn@steuerbuero.example'],
  declined: ['lohn@steuerbuero.example'],
  delivery: 'zip',
  hasZipPassword: true,
  mailAvailable: true,
}

const mail = (id: string, recipient: string, more: Partial<Mail> = {}): Mail => ({
  id,
  month: '2026-10',
  at: '2026-11-01T02:00:00.000Z',
  recipients: [recipient],
  state: 'sent',
  detail: null,
  draft: false,
  delivery: 'zip',
  hasFile: true,
  ...more,
})

const mails: readonly Mail[] = [
  mail('m-2', 'lohn@steuerbuero.example', {
    state: 'waiting',
    detail: 'Der Mailserver nimmt die E-Mail gerade nicht an.',
  }),
  mail('m-1', 'buero@tischlerei-holm.example'),
  mail('m-0', 'alt@tischlerei-holm.example', {
    month: '2026-09',
    state: 'failed',
    draft: true,
    detail: 'Der Mailserver bietet keine Verschlüsselung an, und ohne sie wird nichts gesendet.',
  }),
]

const numbers: readonly Numbered[] = [
  { userId: 'u-7', username: 'Emil Kraft', personnelNumber: '1002', deleted: false },
  { userId: 'u-4', username: 'Finn Maurer', personnelNumber: null, deleted: false },
  { userId: 'u-6', username: 'Mia Sommer', personnelNumber: '1003', deleted: false },
  { userId: 'u-5', username: 'Öznur Çelik', personnelNumber: null, deleted: false },
  { userId: 'u-8', username: 'Paul Weiß', personnelNumber: '1003', deleted: false },
  { userId: 'u-9', username: 'Rosa Lang', personnelNumber: null, deleted: false },
]

export const answers = {
  [`${COMPANY}/export-check`]: findings,
  [`${COMPANY}/months/${MONTH}/lock`]: { month: MONTH, lockedAt: null, lockedBy: null },
  [`${COMPANY}/personnel-numbers`]: numbers,
  [`${COMPANY}/payroll-mapping`]: mapping,
  [`${COMPANY}/exports`]: exports,
  [`${COMPANY}/exports/x-3/difference`]: difference,
  [`${COMPANY}/export-settings`]: settings,
  [`${COMPANY}/export-mails`]: mails,
  [`${COMPANY}/users`]: [
    { id: 'u-4', username: 'Finn Maurer', role: 'user' },
    { id: 'u-5', username: 'Öznur Çelik', role: 'user' },
    { id: 'u-6', username: 'Mia Sommer', role: 'user' },
  ],
}

export const samples: readonly Sample[] = [
  {
    page: { area: 'company', key: 'monthly_mail', module: 'monthly_mail' },
    search: `monat=${MONTH}`,
    answers,
    shows: '2 Änderungen seit dem Export',
  },
]
