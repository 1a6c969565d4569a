/**
 * A form in a dialog, with its buttons: closing it by accident asks before the input is lost. If sending it returns
 * something that is shown only once, the answer takes the form's place, and only its own button closes it.
 *
 * - form: of `useForm`
 * - submit: the verb on the button, or {label, danger, disabled, first}: `danger` is the icon of a button of danger,
 *   `first` gives it the initial focus
 * - mayWait: whether the request may wait on the device (`sending.ts`): the form then works offline too
 * - answer: {title, content, stays}; null until it arrives, so that the dialog stays open on the way
 * - children: the fields
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
  // The question closes at once, the form one render later: both together take a slow phone longer than 100 ms.
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
