/** The login modal. Remounted at each opening, so that it starts at the first step with empty fields. */
import { type ReactNode, useEffect, useState } from 'react'
import type { Session } from '../../api/session'
import { Dialog } from '../../ui/Dialog'
import { AppCode } from './AppCode'
import { CredentialsForm } from './CredentialsForm'
import type { Credentials } from './calls'
import { EmailCode } from './EmailCode'
import { EmailForm } from './EmailForm'
import { NewPassword } from './NewPassword'
import type { Step } from './steps'
import { texts } from './texts'
import { useLogin } from './useLogin'

interface LoginDialogProps {
  onClose: () => void
  onDone: (session: Session) => void
}

export function LoginDialog({ onClose, onDone }: LoginDialogProps) {
  return (
    <Dialog title={texts.title} size={440} sheet onClose={onClose}>
      <Steps onDone={onDone} />
    </Dialog>
  )
}

const EMPTY: Credentials = { company: '', username: '', password: '' }

/** The input outlives a step, but not the modal. */
function Steps({ onDone }: { onDone: (session: Session) => void }) {
  const login = useLogin(onDone)
  const [credentials, setCredentials] = useState(EMPTY)
  const [email, setEmail] = useState('')
  const [remember, setRemember] = useState(true)
  const { step } = login.state
  useEffect(() => {
    // The password is no longer needed; returning to the first step requires typing it again.
    if (step !== 'credentials') setCredentials(previous => ({ ...previous, password: '' }))
  }, [step])
  const forms: Record<Step, () => ReactNode> = {
    credentials: () => <CredentialsForm login={login} fields={credentials} onFields={setCredentials} />,
    email_input: () => <EmailForm login={login} email={email} onEmail={setEmail} />,
    email_otp: () => <EmailCode login={login} email={email} remember={remember} onRemember={setRemember} />,
    totp: () => <AppCode login={login} remember={remember} onRemember={setRemember} />,
    password_change: () => <NewPassword login={login} />,
  }
  return forms[step]()
}
