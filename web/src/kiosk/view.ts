/** The view model; the clock's agent sends it completely at each change. */

export type Direction = 'in' | 'out'

/** A person's limits of working time: minutes, and the local times of the night without work. */
export interface Limits {
  shiftMinutes: number
  restMinutes: number
  night: [string, string] | null
}

export interface Answer {
  key: string
  kind: 'in' | 'out' | 'double_tap' | 'unknown' | 'not_saved'
  name: string | null
  time: string
  todayMinutes: number | null
  balanceMinutes: number | null
  /** The numbers for the reminders; null without any. An older agent sends neither. */
  openHandovers?: number | null
  unreadMessages?: number | null
  sent: boolean
  tag: string | null
  since: string | null
  stampId: string | null
  question: 'direction' | 'gone' | null
  questionDate: string | null
  /** The start of the entry in question. */
  openSince: string | null
  warnings: string[]
  /** The person's own limits, for the sentences of the warnings; null without a warning. An older agent omits it. */
  limits?: Limits | null
  /** Whether they have just answered when they left, which becomes a correction request. */
  requested?: boolean
  /** Whether they may adopt scanners while this is shown. An older agent omits it. */
  steward?: boolean
  until: string
}

/** An answer with a question, and the id of its stamp. */
export interface OpenQuestion extends Answer {
  question: NonNullable<Answer['question']>
  stampId: string
}

/** One of the clock's scanners, as last reported. */
export interface Scanner {
  serial: string
  name: string
  version: string
  /** In percent; null without a battery. */
  battery: number | null
  charging: boolean
  log: { used: number; capacity: number }
  lastSeen: string
  /** Whether it is in the base. */
  connected: boolean
  /** Its unassignment is pending until its last stamp is delivered. */
  forgetting: boolean
  /** A newer version, and its progress. */
  update: { version: string; state: 'waiting' | 'sending' | 'failed' } | null
}

export interface View {
  screen: 'idle' | 'answer' | 'unassigned'
  /** The agent's best time at sending, which may be better than the system's. */
  now?: string
  /** Milliseconds of the agent's monotonic clock, which dates presses. */
  moment?: number
  /** The key of the last answer, even if it is no longer shown: a press now comes after it. */
  after?: string
  /** The agent's version; an older one omits it. */
  version?: string | null
  zone: string
  clockName: string
  companyName: string | null
  claimCode: string | null
  connection: 'online' | 'offline' | 'not_connected'
  queued: number
  reader: 'ok' | 'absent' | 'fault'
  storage: 'ok' | 'failed'
  timeTrusted: boolean
  /** The clock's pending program update; an older agent omits it. */
  update?: { state: string; version: string } | null
  chosen: Direction | null
  chosenUntil: string | null
  notice?: string | null
  /** The end of adoption mode, and the serials adopted since. An older agent omits it. */
  adopting?: { until: string; adopted: string[]; scanners?: Scanner[] } | null
  answer: Answer | null
}
