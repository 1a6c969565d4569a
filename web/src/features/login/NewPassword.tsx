/** The step `password_change`: replaces the initial password. */
import { useState } from 'react'
import { PasswordInput } from '../../ui/fields'
import { texts as uiTexts } from '../../ui/texts'
import { changePassword } from './calls'
import { ALERT, StepForm } from './StepForm'
import { texts } from './texts'
import type { Login } from './useLogin'

export function NewPassword({ login }: { login: Login }) {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  /** Whether the user has tried: before that, fields show no errors. */
  const [tried, setTried] = useState(false)
  const busy = login.state.busy !== null
  const blank = password === '' || again === ''
  const differs = !blank && password !== again
  const submit = (form: HTMLFormElement) => {
    setTried(true)
    if (!blank && !differs) {
      setTried(false)
      login.ask('change', (ticket, signal) => changePassword(ticket, password, signal))
      return
    }
    form.querySelector<HTMLInputElement>(`[name=${password === '' ? 'password' : 'again'}]`)?.focus()
  }
  return (
    <StepForm
      login={login}
      title={texts.changeTitle}
      lead={<p>{texts.changeLead}</p>}
      submit={texts.savePassword}
      busy={busy}
      onSubmit={submit}
    >
      <PasswordInput
        name="password"
        label={texts.newPassword}
        description={uiTexts.passwordLength}
        autoComplete="new-password"
        value={password}
        onChange={event => setPassword(event.currentTarget.value)}
        error={tried && password === '' ? texts.allFields : login.state.sentence}
        errorProps={blank ? undefined : ALERT}
      />
      <PasswordInput
        name="again"
        label={texts.repeatPassword}
        autoComplete="new-password"
        value={again}
        onChange={event => setAgain(event.currentTarget.value)}
        error={
          tried &&
          (again === '' ? (password === '' ? texts.fillIn : texts.allFields) : differs && texts.noMatch)
        }
        errorProps={blank ? undefined : ALERT}
      />
    </StepForm>
  )
}
