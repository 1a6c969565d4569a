/** The ten recovery codes, once: the dialog stays until somebody says that they are kept. */
import { useState } from 'react'
import { Button } from '../../ui/Button'
import { CopyText } from '../../ui/Copyable'
import { Dialog, DialogButtons } from '../../ui/Dialog'
import { CheckField } from '../../ui/fields'
import { Inbox, Printer } from '../../ui/icons'
import { Printed } from '../../ui/Printed'
import classes from './Card.module.css'
import { texts } from './texts'

interface RecoveryCodesProps {
  codes: readonly string[]
  username: string
  onDone: () => void
}

export function RecoveryCodes({ codes, username, onDone }: RecoveryCodesProps) {
  const [saved, setSaved] = useState(false)
  const heading = texts.codesSheet(username)
  const text = [heading, '', ...codes, ''].join('\n')
  return (
    <Dialog title={texts.codesTitle} onClose={onDone} stays>
      <p>{texts.codesLead}</p>
      <ol className={classes.codes} translate="no">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={classes.buttons}>
        <CopyText text={text} label={texts.codesTitle} />
        <Button icon={<Inbox size={18} />} onClick={() => download(text)}>
          {texts.downloadCodes}
        </Button>
        <Button icon={<Printer size={18} />} onClick={() => window.print()}>
          {texts.printCodes}
        </Button>
      </div>
      <CheckField label={texts.saved} checked={saved} onChange={setSaved} />
      <DialogButtons>
        <Button look="primary" disabled={!saved} onClick={onDone}>
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

/** By then every browser has taken the file; Safari does so late. */
const TAKEN_MS = 60_000

function download(text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = texts.codesFile
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), TAKEN_MS)
}
