/** Asks before something that cannot be undone. For the gravest, a word has to be typed first. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from './Button'
import { Dialog, DialogButtons } from './Dialog'
import { TextField } from './fields'
import { ErrorNotice, type Failure } from './Notice'
import { texts } from './texts'

interface ConfirmDialogProps {
  title: string
  /** What happens, as sentences. */
  children: ReactNode
  /** The verb on the button. */
  confirm: string
  busy: boolean
  failure: Failure | null
  /** What has to be typed before, and what the field is called. */
  typed?: { word: string; label: string; description?: string }
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog({
  title,
  children,
  confirm,
  busy,
  failure,
  typed,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [word, setWord] = useState('')
  const ready = typed === undefined || word.trim() === typed.word
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ready && !busy) onConfirm()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} style={{ display: 'contents' }}>
        {children}
        {typed !== undefined && (
          <TextField
            label={typed.label}
            description={typed.description}
            value={word}
            onChange={setWord}
            autoComplete="off"
            data-autofocus
          />
        )}
        <ErrorNotice failure={failure} />
        <DialogButtons>
          <Button onClick={onClose} data-autofocus={typed === undefined ? true : undefined}>
            {texts.cancel}
          </Button>
          <Button type="submit" look="primary" busy={busy} disabled={!ready}>
            {confirm}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
