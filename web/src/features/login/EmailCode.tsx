/** The step `email_otp`: the code from the mail, and resending it. */
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/Button'
import { CodeInput } from '../../ui/fields'
import { useSecondsUntil } from '../../ui/useNow'
import { sendCode, verifyEmail } from './calls'
import { Remember } from './Remember'
import { ALERT, StepForm, useOneField } from './StepForm'
import classes from './StepForm.module.css'
import type { State } from './steps'
import { texts } from './texts'
import type { Login } from './useLogin'

interface EmailCodeProps {
  login: Login
  /** The address typed in this login. */
  email: string
  remember: boolean
  onRemember: (remember: boolean) => void
}

export function EmailCode({ login, email, remember, onRemember }: EmailCodeProps) {
  const [code, setCode] = useState('')
  const { state, ask } = login
  const { ready, error, unlessEmpty } = useOneField({ login, value: code })
  // A typed address is sent again: the login waits for the code sent there.
  const address = state.linking ? email.trim() : null
  return (
    <StepForm
      login={login}
      title={texts.otpTitle}
      lead={<p role="status">{sendState(state, address)}</p>}
      submit={texts.confirm}
      ready={ready}
      busy={state.busy === 'verify'}
      onSubmit={unlessEmpty(() =>
        ask('verify', (ticket, signal) => verifyEmail({ ticket, code, remember }, signal)),
      )}
      back={state.linking ? texts.otherAddress : texts.back}
      aside={
        <Resend
          state={state}
          onPress={() => ask('send', (ticket, signal) => sendCode(ticket, address, signal))}
        />
      }
    >
      <CodeInput label={texts.emailCode} value={code} onChange={setCode} error={error} errorProps={ALERT} />
      <Remember remember={remember} onRemember={onRemember} />
    </StepForm>
  )
}

function sendState({ busy, sent, emailHint }: State, address: string | null): ReactNode {
  if (busy === 'send') return texts.otpSending
  if (!sent) return texts.otpLead
  const where = address ?? emailHint
  if (where === null) return texts.otpSentSomewhere
  const [before, after] = texts.otpSent
  return (
    <>
      {before}
      <span className={classes.address}>{where}</span>
      {after}
    </>
  )
}

/** Shows how long the service asks to wait. */
function Resend({ state, onPress }: { state: State; onPress: () => void }) {
  const seconds = useSecondsUntil(state.until)
  return (
    <Button
      look="plain"
      busy={state.busy === 'send'}
      disabled={state.busy !== null || seconds > 0}
      onClick={onPress}
    >
      {seconds > 0 ? texts.resendIn(seconds) : texts.resend}
    </Button>
  )
}
