/** Asks in the middle of an act: `ask(subject)` waits for the answer, which a dialog gives while `asked` is there. */
import { useCallback, useState } from 'react'

export interface Question<Subject> {
  asked: Subject | null
  ask: (subject: Subject) => Promise<boolean>
  answer: (yes: boolean) => void
}

export function useQuestion<Subject>(): Question<Subject> {
  const [waiting, wait] = useState<{ subject: Subject; settle: (yes: boolean) => void } | null>(null)
  const ask = useCallback((subject: Subject) => new Promise<boolean>(settle => wait({ subject, settle })), [])
  const answer = (yes: boolean) => {
    wait(null)
    waiting?.settle(yes)
  }
  return { asked: waiting?.subject ?? null, ask, answer }
}
