/** The ten recovery codes, shown once: the dialog stays until the user confirms having stored them. */
import { useRef, useState } from 'react'
import { saveAs } from '../../patterns/transfer'
import { Button } from '../../ui/Button'
import { CopyText } from '../../ui/Copyable'
import { Dialog, DialogButtons } from '../../ui/Dialog'
import { Checkbox } from '../../ui/fields'
import { Check, Inbox, Printer } from '../../ui/icons'
import { Buttons } from '../../ui/layout'
import { Printed } from '../../ui/Printed'
import classes from './account.module.css'
import { texts } from './texts'

interface RecoveryCodesProps {
  codes: readonly string[]
  username: string
  onDone: () => void
}

export function RecoveryCodes({ codes, username, onDone }: RecoveryCodesProps) {
  const [saved, setSaved] = useState(false)
  const [wrong, setWrong] = useState(false)
  const tick = useRef<HTMLInputElement>(null)
  const complain = () => {
    setWrong(true)
    tick.current?.focus()
  }
  const heading = texts.codesSheet(username)
  const text = [heading, '', ...codes, ''].join('\n')
  return (
    <Dialog title={texts.codesTitle} size={560} onClose={onDone} stays>
      <p className={classes.activated} role="status">
        <Check size={20} />
        {texts.activated}
      </p>
      <p>{texts.codesLead}</p>
      <ol className={classes.codes} translate="no">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Buttons>
        <CopyText text={text} label={texts.codesTitle} />
        <Button icon={<Inbox size={18} />} onClick={() => saveAs(fileOf(text), texts.codesFile)}>
          {texts.downloadCodes}
        </Button>
        <Button icon={<Printer size={18} />} onClick={() => window.print()}>
          {texts.printCodes}
        </Button>
      </Buttons>
      <Checkbox
        ref={tick}
        label={texts.saved}
        checked={saved}
        onChange={event => setSaved(event.currentTarget.checked)}
        error={wrong && !saved && texts.notSaved}
      />
      <DialogButtons>
        <Button look="primary" onClick={saved ? onDone : complain}>
          {texts.done}
        </Button>
      </DialogButtons>
      <Printed>
        <h1>{heading}</h1>
        <ol>
          {codes.map(code => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </Printed>
    </Dialog>
  )
}

const fileOf = (text: string) => new Blob([text], { type: 'text/plain;charset=utf-8' })
