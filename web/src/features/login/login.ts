/**
 * The login's first step: company, username and password in, a session out — or the sentence that says why not.
 *
 * It knows the step `credentials` only; a further step that the service asks for is an outcome of its own.
 */
import { api } from '../../api/client'
import { Refused, sentenceOf, Unreachable } from '../../api/failures'
import { complete, type Session } from '../../api/session'
import { texts } from './texts'

export interface Credentials {
  company: string
  username: string
  password: string
}

export type Outcome = { kind: 'done'; session: Session } | { kind: 'refused'; sentence: string }

const refused = (sentence: string): Outcome => ({ kind: 'refused', sentence })

export async function logIn(credentials: Credentials, signal: AbortSignal): Promise<Outcome> {
  try {
    const { data, error, response } = await api.POST('/api/login', {
      body: credentials,
      credentials: 'include',
      signal,
    })
    if (!response.ok) return refused(whyNot(new Refused(response.status, error)))
    if (data?.success !== true) return refused(data?.message || texts.failed)
    const parts: Record<string, unknown> = { ...data }
    if (parts.next) return refused(texts.unknownStep)
    const session = complete(parts)
    return session === null ? refused(texts.failed) : { kind: 'done', session }
  } catch (error) {
    if (error instanceof Unreachable) return refused(texts.unreachable)
    return refused(sentenceOf(error, texts.failed))
  }
}

/** The service's own sentence, also on a 401: here it means a wrong password and not an ended session. */
function whyNot(refusal: Refused): string {
  return refusal.explained ? refusal.message : texts.failed
}
