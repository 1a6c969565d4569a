/** Taking the authenticator away needs a code of it, or one of the recovery codes. */
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/Button'
import { Dialog, DialogButtons } from '../../ui/Dialog'
import { TextField } from '../../ui/fields'
import { ErrorNotice } from '../../ui/Notice'
import classes from './Card.module.css'
import { texts } from './texts'
import { useDisable } from './useAccount'

interface DisableDialogProps {
  userId: string
  onClose: () => void
  onDone: () => void
}

export function DisableDialog({ userId, onClose, onDone }: DisableDialogProps) {
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const disabling = useDisable(userId)
  const typed = code.trim()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (disabling.busy) return
    setMissing(typed === '')
    disabling.reset()
    if (typed !== '' && (await disabling.run(typed)) !== null) onDone()
  }
  return (
    <Dialog title={texts.disable} stays={disabling.busy} onClose={onClose}>
      <p>{texts.disableLead}</p>
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextField
          label={texts.disableCode}
          value={code}
          onChange={setCode}
          error={missing && typed === '' && texts.codeMissing}
          autoComplete="one-time-code"
          data-autofocus
        />
        <ErrorNotice failure={disabling.failure} />
        <DialogButtons>
          <Button onClick={onClose} disabled={disabling.busy}>
            {texts.cancel}
          </Button>
          <Button type="submit" look="primary" busy={disabling.busy}>
            {texts.disableNow}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
