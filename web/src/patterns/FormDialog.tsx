/**
 * A form in a dialog, with its buttons: what was typed in it is not lost by a slip beside it, but asked for first. Where
 * sending it answers something that is shown this once, that takes the form's place, and is left by its own button alone.
 *
 *   form       of `useForm`
 *   submit     the verb on the button, or {label, danger, disabled, first}: `danger` is the icon of a button of danger,
 *              `first` has it hold the focus at first
 *   mayWait    whether what it sends may wait on the device (`sending.ts`): then it is open without a network too
 *   answer     {title, content, stays}; null while there is none yet, so that nobody leaves it on its way
 *   children   the fields
 */
import { type ReactNode, startTransition, useState } from 'react'
import { Button, type ButtonProps } from '../ui/Button'
import { Dialog, DialogButtons } from '../ui/Dialog'
import { texts as uiTexts } from '../ui/texts'
import { Discard } from './Discard'
import { Form } from './Form'
import type { Form as FormState } from './useForm'

interface Submit {
  label: string
  danger?: ReactNode
  disabled?: boolean
  first?: boolean
}

interface FormDialogProps<All extends Record<string, unknown>> {
  title: string
  form: FormState<All>
  submit: string | Submit
  mayWait?: boolean
  size?: number
  answer?: { title: string; content: ReactNode; stays?: boolean } | null | undefined
  onClose: () => void
  children: ReactNode
}

export function FormDialog<All extends Record<string, unknown>>({
  title,
  form,
  submit,
  mayWait,
  size,
  answer,
  onClose,
  children,
}: FormDialogProps<All>) {
  const [asked, setAsked] = useState(false)
  const close = () => (form.dirty && !answer ? setAsked(true) : onClose())
  // The question goes at once, the form behind it: both together take a slow phone longer than a tenth of a second.
  const leave = () => {
    setAsked(false)
    startTransition(onClose)
  }
  return (
    <Dialog
      title={answer?.title ?? title}
      size={size}
      stays={answer ? answer.stays !== false : answer === null && form.busy}
      busy={form.busy}
      sheet
      onClose={close}
    >
      {answer ? (
        answer.content
      ) : (
        <Form
          form={form}
          mayWait={mayWait ?? false}
          buttons={
            <DialogButtons>
              <Button onClick={close} disabled={form.busy}>
                {uiTexts.cancel}
              </Button>
              <SubmitButton busy={form.busy} {...(typeof submit === 'string' ? { label: submit } : submit)} />
            </DialogButtons>
          }
        >
          {children}
        </Form>
      )}
      {asked && <Discard onStay={() => setAsked(false)} onLeave={leave} />}
    </Dialog>
  )
}

function SubmitButton({ label, danger, disabled, first, busy }: Submit & { busy: boolean }) {
  const look: ButtonProps = danger === undefined ? { look: 'primary' } : { look: 'danger', icon: danger }
  return (
    <Button {...look} type="submit" busy={busy} disabled={disabled} data-autofocus={first || undefined}>
      {label}
    </Button>
  )
}
