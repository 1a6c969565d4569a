/**
 * What the screen says to assistive technology when somebody has stamped: one line, in a place that is there before and
 * after, because what only comes into being with its words is often not read. A question speaks for itself.
 */
import { spoken } from './spoken'
import type { Answer } from './view'

export function Announcement({ answer }: { answer: Answer | null }) {
  const line = answer === null || answer.question !== null ? '' : spoken(answer)
  const failed = answer?.kind === 'not_saved'
  return (
    <>
      <p className="visually-hidden" role="status">
        {failed ? '' : line}
      </p>
      {failed && (
        <p className="visually-hidden" role="alert">
          {line}
        </p>
      )}
    </>
  )
}
