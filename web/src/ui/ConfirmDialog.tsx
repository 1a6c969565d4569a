/**
 * Asks before something that cannot be undone. For the gravest, a word has to be typed first. Where doing it answers
 * something, that takes the question's place.
 */
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from './Button'
import { Dialog, DialogButtons } from './Dialog'
import { TextField } from './fields'
import { ErrorNotice, type Failure } from './Notice'
import { texts } from './texts'

interface ConfirmationProps {
  /** What happens, point by point, or as `children` in any other form. */
  consequences?: readonly string[]
  children?: ReactNode
  /** The verb on the button. */
  confirm: string
  busy: boolean
  failure: Failure | null
  /** What has to be typed before, and what the field is called. */
  typed?: { word: string; label: string }
  onConfirm: () => void
  onClose: () => void
}

interface ConfirmDialogProps extends ConfirmationProps {
  title: string
  /** What came of it, in a dialog that `stays` where it is not to be lost by a slip of the finger. */
  answer?: { title: string; stays?: boolean; size?: number; content: ReactNode } | null
}

export function ConfirmDialog({ title, answer = null, ...question }: ConfirmDialogProps) {
  const stays = answer === null ? question.busy : answer.stays
  return (
    <Dialog title={answer?.title ?? title} size={answer?.size} stays={stays} onClose={question.onClose}>
      {answer === null ? <Confirmation {...question} /> : answer.content}
    </Dialog>
  )
}

function Confirmation({
  consequences = [],
  children,
  confirm,
  busy,
  failure,
  typed,
  onConfirm,
  onClose,
}: ConfirmationProps) {
  const [word, setWord] = useState('')
  const ready = typed === undefined || word.trim() === typed.word
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ready && !busy) onConfirm()
  }
  return (
    <form onSubmit={submit} style={{ display: 'contents' }}>
      {children}
      {consequences.length > 0 && (
        <ul>
          {consequences.map(sentence => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {typed !== undefined && (
        <TextField label={typed.label} value={word} onChange={setWord} autoComplete="off" data-autofocus />
      )}
      <ErrorNotice failure={failure} />
      <DialogButtons>
        <Button onClick={onClose} disabled={busy} data-autofocus={typed === undefined ? true : undefined}>
          {texts.cancel}
        </Button>
        <Button type="submit" look="primary" busy={busy} disabled={!ready}>
          {confirm}
        </Button>
      </DialogButtons>
    </form>
  )
}
