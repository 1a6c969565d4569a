/** The step `totp`: the authenticator app's code, or a recovery code if the app is lost. */
import { useState } from 'react'
import { Button } from '../../ui/Button'
import { CodeInput, TextInput } from '../../ui/fields'
import { verifyApp } from './calls'
import { Remember } from './Remember'
import { ALERT, StepForm, useOneField } from './StepForm'
import { texts } from './texts'
import type { Login } from './useLogin'

interface AppCodeProps {
  login: Login
  remember: boolean
  onRemember: (remember: boolean) => void
}

export function AppCode({ login, remember, onRemember }: AppCodeProps) {
  const [code, setCode] = useState('')
  const [recovery, setRecovery] = useState(false)
  const busy = login.state.busy !== null
  const typed = code.trim()
  const { ready, error, forget, unlessEmpty } = useOneField({ login, value: code })
  const change = () => {
    setCode('')
    setRecovery(!recovery)
    forget()
    login.change()
  }
  return (
    <StepForm
      login={login}
      title={recovery ? texts.recoveryTitle : texts.totpTitle}
      lead={<p>{recovery ? texts.recoveryLead : texts.totpLead}</p>}
      submit={texts.confirm}
      ready={ready}
      busy={busy}
      onSubmit={unlessEmpty(() =>
        login.ask('verify', (ticket, signal) => verifyApp({ ticket, code: typed, remember }, signal)),
      )}
      turn={recovery ? 'recovery' : 'app'}
      aside={
        <Button look="plain" disabled={busy} onClick={change}>
          {recovery ? texts.withApp : texts.noApp}
        </Button>
      }
    >
      {recovery ? (
        <TextInput
          label={texts.recoveryCode}
          autoComplete="off"
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
          error={error}
          errorProps={ALERT}
        />
      ) : (
        <CodeInput label={texts.appCode} value={code} onChange={setCode} error={error} errorProps={ALERT} />
      )}
      <Remember remember={remember} onRemember={onRemember} />
    </StepForm>
  )
}
