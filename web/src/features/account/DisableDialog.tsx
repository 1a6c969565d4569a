/** Taking the authenticator away needs a code of it, or one of the recovery codes. */
import { Form } from '../../patterns/Form'
import { filled, useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { Dialog, DialogButtons } from '../../ui/Dialog'
import { TextInput } from '../../ui/fields'
import { ShieldOff } from '../../ui/icons'
import { texts } from './texts'
import { useDisable } from './useAccount'

interface DisableDialogProps {
  onClose: () => void
  onDone: () => void
}

const RULES = { code: filled(texts.codeMissing) }

export function DisableDialog({ onClose, onDone }: DisableDialogProps) {
  const form = useForm({
    initial: { code: '' },
    rules: RULES,
    acting: useDisable(),
    input: ({ code }) => code.trim(),
    onDone,
    guarded: false,
  })
  return (
    <Dialog title={texts.disable} busy={form.busy} onClose={onClose}>
      <p>{texts.disableLead}</p>
      <Form
        form={form}
        buttons={
          <DialogButtons>
            <Button onClick={onClose} disabled={form.busy}>
              {texts.cancel}
            </Button>
            <Button type="submit" look="danger" icon={<ShieldOff size={18} />} busy={form.busy}>
              {texts.disableNow}
            </Button>
          </DialogButtons>
        }
      >
        <TextInput
          {...form.field('code')}
          label={texts.disableCode}
          autoComplete="one-time-code"
          data-autofocus
        />
      </Form>
    </Dialog>
  )
}
