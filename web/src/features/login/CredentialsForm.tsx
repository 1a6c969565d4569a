/** The step `credentials`: company, username and password. */
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { PasswordInput, TextInput } from '../../ui/fields'
import { type Credentials, logIn } from './calls'
import { StepForm } from './StepForm'
import { texts } from './texts'
import type { Login } from './useLogin'

const FIELDS = ['company', 'username', 'password'] as const

/** Blanks are no name, but may be a password. */
const isBlank = (fields: Credentials, name: keyof Credentials) =>
  (name === 'password' ? fields[name] : fields[name].trim()) === ''

interface CredentialsFormProps {
  login: Login
  fields: Credentials
  onFields: (fields: Credentials) => void
}

export function CredentialsForm({ login, fields, onFields }: CredentialsFormProps) {
  /** Whether the user has tried to log in: before that, fields show no errors. */
  const [tried, setTried] = useState(false)
  const { busy: request, sentence } = login.state
  const busy = request !== null
  const password = useRef<HTMLInputElement>(null)
  const wasAsked = useRef(false)
  useEffect(() => {
    // Refused: the password is the part to retype.
    if (wasAsked.current && !busy && sentence !== null) {
      password.current?.focus()
      password.current?.select()
    }
    wasAsked.current = busy
  }, [busy, sentence])
  const submit = (form: HTMLFormElement) => {
    if (busy) return
    setTried(true)
    const empty = FIELDS.find(name => isBlank(fields, name))
    if (empty === undefined) login.ask('login', (_, signal) => logIn(fields, signal))
    else form.querySelector<HTMLInputElement>(`[name="${empty}"]`)?.focus()
  }
  const field = (name: keyof Credentials) => ({
    label: texts[name],
    name,
    value: fields[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      onFields({ ...fields, [name]: event.currentTarget.value }),
    error: tried && isBlank(fields, name) && texts.fillIn,
    required: true,
  })
  return (
    <StepForm
      login={login}
      lead={texts.lead}
      complaint={sentence}
      submit={texts.submit}
      busy={busy}
      onSubmit={submit}
    >
      <TextInput {...field('company')} autoComplete="organization" data-autofocus />
      <TextInput {...field('username')} autoComplete="username" />
      <PasswordInput {...field('password')} ref={password} autoComplete="current-password" />
    </StepForm>
  )
}
