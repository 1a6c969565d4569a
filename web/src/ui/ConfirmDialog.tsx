/**
 * Asks before something that cannot be undone. For the gravest, a word has to be typed first. Where doing it answers
 * something, that takes the question's place.
 */
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from './Button'
import { Dialog, DialogButtons } from './Dialog'
import { TextInput } from './fields'
import { ErrorNotice, type Failure } from './Notice'
import { texts } from './texts'

interface ConfirmationProps {
  /** What happens, point by point, or as `children` in any other form. */
  consequences?: readonly string[]
  children?: ReactNode
  /** The verb on the button. */
  confirm: string
  /** The way back, where it has a name of its own. */
  cancel?: string
  /** The button's icon where something is lost by it; the button is then one of danger. */
  danger?: ReactNode
  busy: boolean
  failure: Failure | null
  /** What has to be typed before, what the field is called, and what is said of anything else. */
  typed?: { word: string; label: string; wrong: string }
  onConfirm: () => void
  onClose: () => void
}

interface ConfirmDialogProps extends ConfirmationProps {
  title: string
  /**
   * What came of it, in a dialog that `stays` where it is not to be lost by a slip of the finger; null while there is
   * none yet, so that nobody leaves it on its way.
   */
  answer?: { title: string; stays?: boolean; size?: number; content: ReactNode } | null
}

export function ConfirmDialog({ title, answer, ...question }: ConfirmDialogProps) {
  return (
    <Dialog
      title={answer?.title ?? title}
      size={answer?.size}
      stays={answer ? answer.stays : answer === null && question.busy}
      busy={question.busy}
      onClose={question.onClose}
    >
      {answer ? answer.content : <Confirmation {...question} />}
    </Dialog>
  )
}

function Confirmation({
  consequences = [],
  children,
  confirm,
  cancel = texts.cancel,
  danger,
  busy,
  failure,
  typed,
  onConfirm,
  onClose,
}: ConfirmationProps) {
  const [word, setWord] = useState('')
  const [wrong, setWrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const refused = typed !== undefined && word.trim() !== typed.word
    setWrong(refused)
    if (refused) field.current?.focus()
    else onConfirm()
  }
  return (
    <form onSubmit={submit} style={{ display: 'contents' }} noValidate>
      {children}
      {consequences.length > 0 && (
        <ul>
          {consequences.map(sentence => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {typed !== undefined && (
        <TextInput
          ref={field}
          label={typed.label}
          value={word}
          onChange={event => {
            setWord(event.currentTarget.value)
            setWrong(false)
          }}
          error={wrong && typed.wrong}
          autoComplete="off"
          data-autofocus
        />
      )}
      <ErrorNotice failure={failure} />
      <DialogButtons>
        <Button onClick={onClose} disabled={busy} data-autofocus={typed === undefined ? true : undefined}>
          {cancel}
        </Button>
        {danger === undefined ? (
          <Button type="submit" look="primary" busy={busy}>
            {confirm}
          </Button>
        ) : (
          <Button type="submit" look="danger" icon={danger} busy={busy}>
            {confirm}
          </Button>
        )}
      </DialogButtons>
    </form>
  )
}
