/** The view model, as the clock's agent sends it whole at each change. */

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
  /** Of how much to remind the person; null of nothing. An older agent says neither. */
  openHandovers?: number | null
  unreadMessages?: number | null
  sent: boolean
  tag: string | null
  since: string | null
  stampId: string | null
  question: 'direction' | 'gone' | null
  questionDate: string | null
  /** When the entry began that the question is about. */
  openSince: string | null
  warnings: string[]
  /** The person's own limits, for the sentences of the warnings; null without a warning. An older agent omits it. */
  limits?: Limits | null
  /** Whether they have just said when they left, which becomes a correction request. */
  requested?: boolean
  /** Whether they may have scanners adopted as long as this stands. An older agent does not say. */
  steward?: boolean
  until: string
}

/** An answer with a question, and the stamp that it is answered under. */
export interface OpenQuestion extends Answer {
  question: NonNullable<Answer['question']>
  stampId: string
}

/** One of the clock's scanners, as it last told of itself. */
export interface Scanner {
  serial: string
  name: string
  version: string
  /** In percent; null: it has none. */
  battery: number | null
  charging: boolean
  log: { used: number; capacity: number }
  lastSeen: string
  /** Whether it lies in the base. */
  connected: boolean
  /** It is to be nobody's, once nothing waits on it any more. */
  forgetting: boolean
  /** A newer version, and what becomes of it. */
  update: { version: string; state: 'waiting' | 'sending' | 'failed' } | null
}

export interface View {
  screen: 'idle' | 'answer' | 'unassigned'
  /** The agent's best time when it sent this, which may be better than the system's. */
  now?: string
  /** Milliseconds of a clock of the agent's that never jumps: by it a press says when it was made. */
  moment?: number
  /** The last answer's key, also when it is gone: what is pressed now, is pressed after it. */
  after?: string
  /** Of the agent; an older one says none. */
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
  /** A new version of the clock's program that is under way; an older agent says nothing. */
  update?: { state: string; version: string } | null
  chosen: Direction | null
  chosenUntil: string | null
  notice?: string | null
  /** Scanners are adopted until then; the serials of those that were meanwhile. An older agent tells of no others. */
  adopting?: { until: string; adopted: string[]; scanners?: Scanner[] } | null
  answer: Answer | null
}
