/** Disabling the authenticator needs a code of it, or a recovery code. */
import { FormDialog } from '../../patterns/FormDialog'
import { filled, useForm } from '../../patterns/useForm'
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
    <FormDialog
      title={texts.disable}
      form={form}
      submit={{ label: texts.disableNow, danger: <ShieldOff size={18} /> }}
      onClose={onClose}
    >
      <p>{texts.disableLead}</p>
      <TextInput
        {...form.field('code')}
        label={texts.disableCode}
        autoComplete="one-time-code"
        data-autofocus
      />
    </FormDialog>
  )
}
