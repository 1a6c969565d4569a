/** The step `email_input`: the address for future codes. */
import { EmailInput } from '../../ui/fields'
import { sendCode } from './calls'
import { ALERT, StepForm, useOneField } from './StepForm'
import { texts } from './texts'
import type { Login } from './useLogin'

interface EmailFormProps {
  login: Login
  email: string
  onEmail: (email: string) => void
}

export function EmailForm({ login, email, onEmail }: EmailFormProps) {
  const busy = login.state.busy !== null
  const address = email.trim()
  const { ready, error, unlessEmpty } = useOneField({ login, value: email })
  return (
    <StepForm
      login={login}
      title={texts.linkTitle}
      lead={texts.linkLead}
      submit={texts.sendCode}
      ready={ready}
      busy={busy}
      onSubmit={unlessEmpty(() => login.ask('send', (ticket, signal) => sendCode(ticket, address, signal)))}
    >
      <EmailInput
        label={texts.email}
        value={email}
        onChange={event => onEmail(event.currentTarget.value)}
        error={error}
        errorProps={ALERT}
      />
    </StepForm>
  )
}
