/**
 * How a call can fail, as two classes:
 *
 *   Unreachable   no answer, or one that only a proxy in front of the service gives (502, 503, 504)
 *   Refused       an answer that says no: its status, the service's `code` and its German `message`
 */
import { texts } from './texts'

export class Unreachable extends Error {
  constructor(cause?: unknown) {
    super(texts.unreachable, { cause })
  }
}

interface ProblemBody {
  code?: unknown
  message?: unknown
}

export class Refused extends Error {
  readonly status: number
  readonly code: string | null

  constructor(status: number, body: unknown) {
    const problem: ProblemBody = typeof body === 'object' && body !== null ? body : {}
    super(
      typeof problem.message === 'string' && problem.message !== '' ? problem.message : texts.status(status),
    )
    this.status = status
    this.code = typeof problem.code === 'string' ? problem.code : null
  }

  /** Whether the service itself said something, rather than just a status. */
  get explained(): boolean {
    return this.message !== texts.status(this.status)
  }
}

/** The sentence a page shows for a failed call. */
export function sentenceOf(error: unknown, fallback: string): string {
  if (error instanceof Unreachable) return error.message
  if (!(error instanceof Refused)) return fallback
  if (error.status === 401) return texts.unauthorized
  if (error.status === 404 && !error.explained) return texts.endpointMissing
  return error.message
}
