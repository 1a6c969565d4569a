/**
 * Asks in the middle of an act: `ask(subject)` resolves with the answer of a dialog, which shows while `asked` is set.
 */
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
