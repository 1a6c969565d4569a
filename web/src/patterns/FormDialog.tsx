/**
 * A form in a dialog: what was typed in it is not lost by a slip beside it, but asked for first. Where sending it answers
 * something that is shown this once, that takes the form's place, and is left by its own button alone.
 */
import { type ReactNode, startTransition, useState } from 'react'
import { Dialog } from '../ui/Dialog'
import { Discard } from './Discard'

interface FormDialogProps {
  title: string
  form: { dirty: boolean; busy: boolean }
  size?: number
  /** Null while there is none yet, so that nobody leaves it on its way. */
  answer?: { title: string; content: ReactNode } | null
  onClose: () => void
  /** `close` asks first, too: for the button of one's own. */
  children: (close: () => void) => ReactNode
}

export function FormDialog({ title, form, size, answer, onClose, children }: FormDialogProps) {
  const [asked, setAsked] = useState(false)
  const close = () => (form.dirty ? setAsked(true) : onClose())
  // The question goes at once, the form behind it: both together take a slow phone longer than a tenth of a second.
  const leave = () => {
    setAsked(false)
    startTransition(onClose)
  }
  return (
    <Dialog
      title={answer?.title ?? title}
      size={size}
      stays={answer ? true : answer === null && form.busy}
      busy={form.busy}
      sheet
      onClose={close}
    >
      {answer ? answer.content : children(close)}
      {asked && <Discard onStay={() => setAsked(false)} onLeave={leave} />}
    </Dialog>
  )
}
