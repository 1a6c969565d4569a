/** Asks for the password before an authenticator is set up, where the service wants to know that its owner is there. */
import { Form } from '../../patterns/Form'
import { typed, useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { Dialog, DialogButtons } from '../../ui/Dialog'
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
    <Dialog title={texts.setUp} busy={form.busy} onClose={onClose}>
      <p>{texts.setupPasswordLead}</p>
      <Form
        form={form}
        buttons={
          <DialogButtons>
            <Button onClick={onClose} disabled={form.busy}>
              {texts.cancel}
            </Button>
            <Button type="submit" look="primary" busy={form.busy}>
              {texts.next}
            </Button>
          </DialogButtons>
        }
      >
        {/* For the browser's store of passwords, which wants to know whose it is. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <PasswordInput
          {...form.field('password')}
          label={texts.yourPassword}
          autoComplete="current-password"
          data-autofocus
        />
      </Form>
    </Dialog>
  )
}
