/** The step `email_input`: the address to which codes go from now on. */
import { TextField } from '../../ui/fields'
import { sendCode } from './calls'
import { StepForm } from './StepForm'
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
  return (
    <StepForm
      login={login}
      title={texts.linkTitle}
      lead={texts.linkLead}
      submit={texts.sendCode}
      busy={busy}
      disabled={busy || address === ''}
      onSubmit={() => login.ask('send', (ticket, signal) => sendCode(ticket, address, signal))}
    >
      <TextField
        label={texts.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        value={email}
        onChange={onEmail}
      />
    </StepForm>
  )
}
