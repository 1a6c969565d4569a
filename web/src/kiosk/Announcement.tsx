/**
 * The screen's announcement for assistive technology after a stamp: one line, in an element that exists before and
 * after, because text in a new element is often not announced. A question announces itself.
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
