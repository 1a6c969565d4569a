/** The step `credentials`: company, username and password. */
import { useState } from 'react'
import { focusField, isBlank } from '../../ui/blanks'
import { PasswordField, TextField } from '../../ui/fields'
import { type Credentials, logIn } from './calls'
import { StepForm } from './StepForm'
import { texts } from './texts'
import type { Login } from './useLogin'

const FIELDS = ['company', 'username', 'password'] as const

interface CredentialsFormProps {
  login: Login
  fields: Credentials
  onFields: (fields: Credentials) => void
}

export function CredentialsForm({ login, fields, onFields }: CredentialsFormProps) {
  /** Whether somebody has tried to log in: before that no field complains. */
  const [tried, setTried] = useState(false)
  const busy = login.state.busy !== null
  const submit = (form: HTMLFormElement) => {
    if (busy) return
    setTried(true)
    const empty = FIELDS.find(name => isBlank(fields, name))
    if (empty !== undefined) focusField(form, empty)
    else login.ask('login', (_, signal) => logIn(fields, signal))
  }
  const field = (name: keyof Credentials) => ({
    label: texts[name],
    name,
    value: fields[name],
    onChange: (value: string) => onFields({ ...fields, [name]: value }),
    error: tried && isBlank(fields, name) && texts.fillIn,
    required: true,
  })
  return (
    <StepForm login={login} lead={texts.lead} submit={texts.submit} busy={busy} onSubmit={submit}>
      <TextField {...field('company')} autoComplete="organization" data-autofocus />
      <TextField {...field('username')} autoComplete="username" />
      <PasswordField {...field('password')} autoComplete="current-password" />
    </StepForm>
  )
}
