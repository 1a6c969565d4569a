/**
 * How a call can fail, as two classes:
 *
 *   Unreachable   no answer, one that only a proxy in front of the service gives (502, 503, 504), or `unavailable`;
 *                 `Unanswered` where something was to be changed and may have been, all the same
 *   Refused       an answer that says no: its status, the service's `code`, its German `message`, what it says of
 *                 single fields, and for how long it wants to be left alone
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
  /** What is wrong with a field, by the field's name. */
  readonly fields: Readonly<Record<string, string>>
  /** All that it says; what a call answers beside its sentence stands in here. */
  readonly body: object
  /** Seconds after which the service wants to be asked again. */
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

  /** Whether the service itself said something, rather than just a status. */
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

/** Whether the service says that what was meant is not there, or not any more. */
export function isGone(error: unknown): boolean {
  return error instanceof Refused && error.status === 404 && error.explained
}

/** Whether the times that were asked for have gone after their period: nothing brings them back. */
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
