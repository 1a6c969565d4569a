/**
 * Failures of a call, as two classes:
 *
 * - Unreachable: no answer, an answer of a proxy (502, 503, 504), or `unavailable`; `Unanswered` if a mutation may have
 *   taken effect
 * - Refused: the service refuses: its status, `code`, German `message`, errors of single fields, and how long to wait
 *   before a retry
 */
import { texts } from './texts'

export class Unreachable extends Error {
  constructor(cause?: unknown, message: string = texts.unreachable) {
    super(message, { cause })
  }
}

export class Unanswered extends Unreachable {
  constructor(cause?: unknown) {
    super(cause, texts.unanswered)
  }
}

interface ProblemBody {
  code?: unknown
  message?: unknown
  errors?: unknown
}

export class Refused extends Error {
  readonly status: number
  readonly code: string | null
  /** Errors by field name. */
  readonly fields: Readonly<Record<string, string>>
  /** The complete body; includes any fields other than the message. */
  readonly body: object
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | null

  constructor(status: number, body: unknown, headers?: Headers) {
    const problem: ProblemBody = typeof body === 'object' && body !== null ? body : {}
    super(
      typeof problem.message === 'string' && problem.message !== '' ? problem.message : texts.status(status),
    )
    this.status = status
    this.body = problem
    this.code = typeof problem.code === 'string' ? problem.code : null
    this.fields = fieldsOf(problem.errors)
    const seconds = Number(headers?.get('Retry-After') ?? Number.NaN)
    this.retryAfter = Number.isFinite(seconds) && seconds > 0 ? seconds : null
  }

  /** Whether the service itself answered, with more than a status. */
  get explained(): boolean {
    return this.message !== texts.status(this.status)
  }
}

function fieldsOf(errors: unknown): Record<string, string> {
  if (!Array.isArray(errors)) return {}
  return Object.fromEntries(
    errors.flatMap(({ field, message }: { field?: unknown; message?: unknown }) =>
      typeof field === 'string' && typeof message === 'string' ? [[field, message]] : [],
    ),
  )
}

/** Whether the service reports that the target does not exist, or no longer exists. */
export function isGone(error: unknown): boolean {
  return error instanceof Refused && error.status === 404 && error.explained
}

/** Whether the requested times were deleted after their retention period: they cannot be restored. */
export const haveGone = (error: unknown): error is Refused =>
  error instanceof Refused && error.code === 'times_gone'

/** The sentence a page shows for a failed call. */
export function sentenceOf(error: unknown, fallback: string): string {
  if (error instanceof Unreachable) return error.message
  if (!(error instanceof Refused)) return fallback
  if (error.status === 401) return texts.unauthorized
  if (error.status === 404 && !error.explained) return texts.endpointMissing
  return error.message
}
