/** Setting up the authenticator: the picture or the secret into the app, the app's first code back. */
import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '../../ui/Button'
import { Copyable } from '../../ui/Copyable'
import { CodeField } from '../../ui/fields'
import { useFocusPassedOn } from '../../ui/focus'
import { ErrorNotice } from '../../ui/Notice'
import classes from './Card.module.css'
import { texts } from './texts'
import { type Setup, useActivate } from './useAccount'

interface AuthenticatorSetupProps {
  userId: string
  setup: Setup
  onActive: (codes: readonly string[]) => void
  onCancel: () => void
}

export function AuthenticatorSetup({ userId, setup, onActive, onCancel }: AuthenticatorSetupProps) {
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const activating = useActivate(userId)
  const start = useFocusPassedOn<HTMLOListElement>()
  // The button that was pressed is gone: without this the keyboard would stand nowhere.
  useEffect(() => start.current?.focus(), [start])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (activating.busy) return
    setMissing(code === '')
    activating.reset()
    if (code === '') return
    const codes = await activating.run(code)
    if (codes !== null) onActive(codes)
  }
  return (
    <ol ref={start} className={classes.steps} tabIndex={-1}>
      <li>
        <p>{texts.scan}</p>
        <img className={classes.qr} src={setup.qrDataUrl} alt={texts.qr} width={208} height={208} />
        <p className={classes.hint}>{texts.typeInstead}</p>
        <Copyable text={setup.secret} label={texts.secret} />
      </li>
      <li>
        <p>{texts.thenCode}</p>
        <form className={classes.form} onSubmit={submit} noValidate>
          <CodeField
            label={texts.appCode}
            value={code}
            onChange={setCode}
            error={missing && code === '' && texts.codeMissing}
          />
          <p className={classes.hint}>{texts.othersEnd}</p>
          <ErrorNotice failure={activating.failure} />
          <div className={classes.buttons}>
            <Button type="submit" look="primary" busy={activating.busy}>
              {texts.activate}
            </Button>
            <Button onClick={onCancel}>{texts.cancel}</Button>
          </div>
        </form>
      </li>
    </ol>
  )
}
