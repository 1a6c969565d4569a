/** The login modal. Every opening starts at the first step with empty fields. */
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Modal } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { Session } from '../../api/session'
import { AppCode } from './AppCode'
import { CredentialsForm } from './CredentialsForm'
import type { Credentials } from './calls'
import { EmailCode } from './EmailCode'
import { EmailForm } from './EmailForm'
import classes from './LoginDialog.module.css'
import { NewPassword } from './NewPassword'
import type { Step } from './steps'
import { texts } from './texts'
import { useLogin } from './useLogin'

interface LoginDialogProps {
  opened: boolean
  onClose: () => void
  onDone: (session: Session) => void
}

export function LoginDialog({ opened, onClose, onDone }: LoginDialogProps) {
  // The modal gives the focus back only if it saw itself being opened, and this code may be loaded by that very press.
  const [shown, setShown] = useState(false)
  useEffect(() => setShown(opened), [opened])
  return (
    <Modal.Root opened={shown} onClose={onClose} centered size={440} classNames={PARTS}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          {/* Not Mantine's own header: its <header> would be the page's second banner. */}
          <div className={classes.header}>
            <Modal.Title>{texts.title}</Modal.Title>
            <Modal.CloseButton aria-label={texts.close} size={48} iconSize={22} />
          </div>
          <Steps onDone={onDone} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Named at the root: on the content itself a class would also dress Mantine's full-screen box around it. */
const PARTS = {
  overlay: classes.overlay ?? '',
  content: classes.content ?? '',
  body: classes.body ?? '',
  title: classes.title ?? '',
  close: classes.close ?? '',
}

const EMPTY: Credentials = { company: '', username: '', password: '' }

/** Mounted anew at each opening, so nothing of an earlier attempt is left. What was typed outlives a step, not the modal. */
function Steps({ onDone }: { onDone: (session: Session) => void }) {
  const login = useLogin(onDone)
  const [credentials, setCredentials] = useState(EMPTY)
  const [email, setEmail] = useState('')
  const [remember, setRemember] = useState(true)
  const { step } = login.state
  useEffect(() => {
    // The password has done its work; who comes back to the first step types it again.
    if (step !== 'credentials') setCredentials(known => ({ ...known, password: '' }))
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
