/** A form in a dialog: what was typed in it is not lost by a slip beside it, but asked for first. */
import { type ReactNode, useState } from 'react'
import { Dialog } from '../ui/Dialog'
import { Discard } from './Discard'

interface FormDialogProps {
  title: string
  form: { dirty: boolean; busy: boolean }
  size?: number
  onClose: () => void
  /** `close` asks first, too: for the button of one's own. */
  children: (close: () => void) => ReactNode
}

export function FormDialog({ title, form, size, onClose, children }: FormDialogProps) {
  const [asked, setAsked] = useState(false)
  const close = () => (form.dirty ? setAsked(true) : onClose())
  return (
    <Dialog title={title} size={size} stays={form.busy} sheet onClose={close}>
      {children(close)}
      {asked && <Discard onStay={() => setAsked(false)} onLeave={onClose} />}
    </Dialog>
  )
}
