/** Asks for the password before setting up an authenticator, if the service requires it. */
import { FormDialog } from '../../patterns/FormDialog'
import { typed, useForm } from '../../patterns/useForm'
import { PasswordInput } from '../../ui/fields'
import { texts } from './texts'
import { PASSWORD_NEEDED, type Setup, useStartSetup } from './useAccount'

interface SetupPasswordProps {
  username: string
  onClose: () => void
  onDone: (setup: Setup) => void
}

const RULES = { password: typed(texts.passwordMissing) }

export function SetupPassword({ username, onClose, onDone }: SetupPasswordProps) {
  const form = useForm({
    initial: { password: '' },
    rules: RULES,
    acting: useStartSetup(),
    input: ({ password }) => password,
    onDone: setup => {
      if (setup !== null && setup !== PASSWORD_NEEDED) onDone(setup)
    },
    guarded: false,
  })
  return (
    <FormDialog title={texts.setUp} form={form} submit={texts.next} onClose={onClose}>
      <p>{texts.setupPasswordLead}</p>
      {/* For the browser's password manager, which needs the username. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput
        {...form.field('password')}
        label={texts.yourPassword}
        autoComplete="current-password"
        data-autofocus
      />
    </FormDialog>
  )
}
