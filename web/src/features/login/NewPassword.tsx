/** The step `password_change`: a password of one's own in the place of the one that was handed out. */
import { useState } from 'react'
import { PasswordField } from '../../ui/fields'
import { texts as uiTexts } from '../../ui/texts'
import { changePassword } from './calls'
import { StepForm } from './StepForm'
import { texts } from './texts'
import type { Login } from './useLogin'

export function NewPassword({ login }: { login: Login }) {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [complaint, setComplaint] = useState<string | null>(null)
  const busy = login.state.busy !== null
  const submit = () => {
    const wrong =
      password === '' || again === '' ? texts.allFields : password !== again ? texts.noMatch : null
    setComplaint(wrong)
    if (wrong === null) login.ask('change', (ticket, signal) => changePassword(ticket, password, signal))
  }
  return (
    <StepForm
      login={login}
      title={texts.changeTitle}
      lead={<p>{texts.changeLead}</p>}
      complaint={complaint}
      submit={texts.savePassword}
      busy={busy}
      onSubmit={submit}
    >
      <PasswordField
        label={texts.newPassword}
        description={uiTexts.passwordLength}
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
      />
      <PasswordField
        label={texts.repeatPassword}
        autoComplete="new-password"
        value={again}
        onChange={setAgain}
      />
    </StepForm>
  )
}
