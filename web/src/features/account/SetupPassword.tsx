/** Whoever has been logged in for a while says by the password that it is them who set the authenticator up. */
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/Button'
import { Dialog, DialogButtons } from '../../ui/Dialog'
import { PasswordField } from '../../ui/fields'
import { ErrorNotice } from '../../ui/Notice'
import classes from './Card.module.css'
import { texts } from './texts'
import { PASSWORD_NEEDED, type Setup, useStartSetup } from './useAccount'

interface SetupPasswordProps {
  username: string
  onClose: () => void
  onDone: (setup: Setup) => void
}

export function SetupPassword({ username, onClose, onDone }: SetupPasswordProps) {
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState(false)
  const starting = useStartSetup()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (starting.busy) return
    setMissing(password === '')
    starting.reset()
    if (password === '') return
    const setup = await starting.run(password)
    if (setup !== null && setup !== PASSWORD_NEEDED) onDone(setup)
  }
  return (
    <Dialog title={texts.setUp} stays={starting.busy} onClose={onClose}>
      <p>{texts.setupPasswordLead}</p>
      <form className={classes.form} onSubmit={submit} noValidate>
        {/* For the browser's store of passwords, which wants to know whose it is. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <PasswordField
          label={texts.yourPassword}
          value={password}
          onChange={setPassword}
          error={missing && password === '' && texts.passwordMissing}
          autoComplete="current-password"
          data-autofocus
        />
        <ErrorNotice failure={starting.failure} />
        <DialogButtons>
          <Button onClick={onClose} disabled={starting.busy}>
            {texts.cancel}
          </Button>
          <Button type="submit" look="primary" busy={starting.busy}>
            {texts.next}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
