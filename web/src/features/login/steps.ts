/**
 * The login's steps as a transition table: pure, without a clock, a network or a page.
 *
 * A request is an event too: during a request every other one is refused, by returning the state unchanged. An
 * automatic request — the code, when the service demands one — is flagged once, in `due`, and cleared by the first
 * request.
 */
import { texts } from './texts'

export const STEPS = ['credentials', 'email_input', 'email_otp', 'totp', 'password_change'] as const

export type Step = (typeof STEPS)[number]

export type Request = 'login' | 'send' | 'verify' | 'change'

/** The outcome of an answer; a successful end has no state. */
export type Outcome =
  | { kind: 'next'; step: string; ticket: string; emailHint?: string | null }
  | { kind: 'sent'; until?: number | null }
  | { kind: 'refused'; sentence: string; until?: number | null }
  | { kind: 'over'; sentence: string }

export interface State {
  step: Step
  /** The service's ticket for this login. */
  ticket: string | null
  /** The masked address of the code. */
  emailHint: string | null
  /** Whether the address was typed here, so that it can be corrected. */
  linking: boolean
  busy: Request | null
  /** The code should be requested automatically. */
  due: boolean
  sent: boolean
  sentence: string | null
  /** The earliest time for another code. */
  until: number | null
  /** A new value focuses the step's first field. */
  turn: number
}

export type Event =
  | { type: 'ask'; request: Request }
  | { type: 'answer'; outcome: Outcome }
  | { type: 'change' }
  | { type: 'back' }

export const START: State = {
  step: 'credentials',
  ticket: null,
  emailHint: null,
  linking: false,
  busy: null,
  due: false,
  sent: false,
  sentence: null,
  until: null,
  turn: 0,
}

const ASKED_IN: Readonly<Record<Step, readonly Request[]>> = {
  credentials: ['login'],
  email_input: ['send'],
  email_otp: ['send', 'verify'],
  totp: ['verify'],
  password_change: ['change'],
}

export function advance(state: State, event: Event): State {
  switch (event.type) {
    case 'ask':
      return asking(state, event.request)
    case 'answer':
      return answered(state, event.outcome)
    case 'change':
      // Another action of the same step starts without the previous error.
      return { ...state, sentence: null }
    case 'back':
      return back(state)
  }
}

function asking(state: State, request: Request): State {
  if (state.busy !== null || !ASKED_IN[state.step].includes(request)) return state
  return { ...state, busy: request, due: false, sentence: null }
}

function answered(state: State, outcome: Outcome): State {
  const idle = { ...state, busy: null, turn: state.turn + (state.step === 'credentials' ? 0 : 1) }
  switch (outcome.kind) {
    case 'next':
      return isStep(outcome.step)
        ? {
            ...START,
            step: outcome.step,
            ticket: outcome.ticket,
            emailHint: outcome.emailHint ?? null,
            due: outcome.step === 'email_otp',
            turn: state.turn + 1,
          }
        : { ...idle, sentence: texts.unknownStep }
    case 'sent':
      return {
        ...idle,
        step: 'email_otp',
        linking: state.linking || state.step === 'email_input',
        sent: true,
        until: outcome.until ?? state.until,
      }
    case 'refused':
      return { ...idle, sentence: outcome.sentence, until: outcome.until ?? state.until }
    case 'over':
      return { ...START, sentence: outcome.sentence, turn: state.turn + 1 }
  }
}

function isStep(name: string): name is Step {
  return name !== 'credentials' && (STEPS as readonly string[]).includes(name)
}

/** A mistyped address returns to its step; every other step returns to the start. Pending answers do not block it. */
function back(state: State): State {
  if (state.step === 'credentials') return state
  const turn = state.turn + 1
  if (state.step === 'email_otp' && state.linking) {
    return { ...START, step: 'email_input', ticket: state.ticket, until: state.until, turn }
  }
  return { ...START, turn }
}
