/** The authenticator's setup: the QR code or the secret for the app, then the app's first code. */
import { useEffect } from 'react'
import { Form } from '../../patterns/Form'
import { typed, useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { Copyable } from '../../ui/Copyable'
import { CodeInput } from '../../ui/fields'
import { useFocusPassedOn } from '../../ui/focus'
import { Buttons } from '../../ui/layout'
import classes from './account.module.css'
import { texts } from './texts'
import { type Setup, useActivate } from './useAccount'

interface AuthenticatorSetupProps {
  setup: Setup
  onActive: (codes: readonly string[]) => void
  onCancel: () => void
}

const RULES = { code: typed(texts.codeMissing) }

export function AuthenticatorSetup({ setup, onActive, onCancel }: AuthenticatorSetupProps) {
  const start = useFocusPassedOn<HTMLOListElement>()
  // The pressed button is gone: without this the keyboard would lose its position.
  useEffect(() => start.current?.focus(), [start])
  const form = useForm({
    initial: { code: '' },
    rules: RULES,
    acting: useActivate(),
    input: ({ code }) => code,
    onDone: codes => {
      if (codes !== null) onActive(codes)
    },
    guarded: false,
  })
  return (
    <ol ref={start} className={classes.steps} tabIndex={-1}>
      <li>
        <p>{texts.scan}</p>
        <img className={classes.qr} src={setup.qrDataUrl} alt={texts.qr} width={208} height={208} />
        <p className={classes.hint}>{texts.typeInstead}</p>
        <Copyable text={setup.secret} label={texts.secret} grouped />
      </li>
      <li>
        <p>{texts.thenCode}</p>
        <div className={classes.form}>
          <Form
            form={form}
            buttons={
              <Buttons>
                <Button type="submit" look="primary" busy={form.busy}>
                  {texts.activate}
                </Button>
                <Button onClick={onCancel}>{texts.cancel}</Button>
              </Buttons>
            }
          >
            <CodeInput {...form.field('code')} label={texts.appCode} />
            <p className={classes.hint}>{texts.othersEnd}</p>
          </Form>
        </div>
      </li>
    </ol>
  )
}
