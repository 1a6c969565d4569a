/**
 * The login's calls, each returning an outcome for the steps, or the new session. Sentences are the service's own, also
 * on a 401: here it means a wrong password or code, and not an ended session.
 */
import { anonymous } from '../../api/client'
import { Refused, Unreachable } from '../../api/failures'
import { complete, type Session } from '../../api/session'
import type { Outcome } from './steps'
import { texts } from './texts'

export interface Credentials {
  company: string
  username: string
  password: string
}

export interface Code {
  ticket: string
  code: string
  remember: boolean
}

export type Answer = Outcome | { kind: 'done'; session: Session }

interface Answered {
  data?: unknown
  error?: unknown
  response: Response
}

export function logIn(credentials: Credentials, signal: AbortSignal): Promise<Answer> {
  const call = () => anonymous.POST('/api/login', { body: credentials, credentials: 'include', signal })
  return checkedAnswer(call, texts.failed, onward)
}

/** `email` is sent only for linking an address. */
export function sendCode(ticket: string, email: string | null, signal: AbortSignal): Promise<Answer> {
  const body = { temp_token: ticket, ...(email === null ? {} : { email }) }
  const call = () => anonymous.POST('/api/auth/email/start', { body, signal })
  return checkedAnswer(call, texts.sendFailed, ({ resendIn }) => ({
    kind: 'sent',
    until: typeof resendIn === 'number' ? instantIn(resendIn) : null,
  }))
}

export function verifyEmail(code: Code, signal: AbortSignal): Promise<Answer> {
  const call = () =>
    anonymous.POST('/api/auth/email/verify', { body: bodyOf(code), credentials: 'include', signal })
  return checkedAnswer(call, texts.emailCodeFailed, onward)
}

export function verifyApp(code: Code, signal: AbortSignal): Promise<Answer> {
  const call = () =>
    anonymous.POST('/api/auth/2fa/verify', { body: bodyOf(code), credentials: 'include', signal })
  return checkedAnswer(call, texts.appCodeFailed, onward)
}

export function changePassword(ticket: string, newPassword: string, signal: AbortSignal): Promise<Answer> {
  const body = { temp_token: ticket, newPassword }
  const call = () => anonymous.POST('/api/auth/password-change', { body, credentials: 'include', signal })
  return checkedAnswer(call, texts.changeFailed, onward)
}

const bodyOf = ({ ticket, code, remember }: Code) => ({ temp_token: ticket, code, rememberDevice: remember })

async function checkedAnswer(
  call: () => Promise<Answered>,
  fallback: string,
  well: (parts: Record<string, unknown>) => Answer | null,
): Promise<Answer> {
  try {
    const { data, error, response } = await call()
    if (!response.ok) return refusalOf(new Refused(response.status, error, response.headers), fallback)
    const parts = { ...(data as Record<string, unknown> | undefined) }
    if ((parts.success ?? parts.ok) !== true)
      return { kind: 'refused', sentence: sentenceIn(parts) ?? fallback }
    return well(parts) ?? { kind: 'refused', sentence: fallback }
  } catch (error) {
    return { kind: 'refused', sentence: error instanceof Unreachable ? texts.unreachable : fallback }
  }
}

function refusalOf(refusal: Refused, fallback: string): Answer {
  const { code, explained, fields, message, retryAfter } = refusal
  // Every step has one field: its error is more specific than the general one.
  const sentence = Object.values(fields)[0] ?? (explained ? message : fallback)
  if (code === 'login_expired') return { kind: 'over', sentence }
  return { kind: 'refused', sentence, until: retryAfter === null ? null : instantIn(retryAfter) }
}

const instantIn = (seconds: number) => Date.now() + seconds * 1_000

function sentenceIn({ message }: Record<string, unknown>): string | null {
  return typeof message === 'string' && message !== '' ? message : null
}

/** The service's next step, or the session after the last step. */
function onward(parts: Record<string, unknown>): Answer | null {
  const { next, temp_token: ticket, emailHint } = parts
  if (typeof next === 'string' && next !== '') {
    return typeof ticket === 'string'
      ? { kind: 'next', step: next, ticket, emailHint: typeof emailHint === 'string' ? emailHint : null }
      : null
  }
  const session = complete(parts)
  return session === null ? null : { kind: 'done', session }
}
