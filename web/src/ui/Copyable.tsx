/** A value to be taken along, and the button that puts it on the clipboard — or says that it could not. */
import { useState } from 'react'
import { Button } from './Button'
import classes from './Copyable.module.css'
import { Alert, Check, Copy } from './icons'
import { texts } from './texts'

/** Whether the browser did it: an insecure page, or one without permission, may not. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

type Outcome = 'copied' | 'failed' | null

interface CopyButtonProps {
  text: string
  /** What is copied, for who cannot see what stands beside it. */
  label: string
  onOutcome: (outcome: Outcome) => void
  copied: boolean
}

function CopyButton({ text, label, onOutcome, copied }: CopyButtonProps) {
  const press = async () => {
    onOutcome(null)
    onOutcome((await copy(text)) ? 'copied' : 'failed')
  }
  return (
    <Button
      aria-label={`${texts.copy}: ${label}`}
      icon={copied ? <Check size={18} /> : <Copy size={18} />}
      onClick={press}
    >
      {copied ? texts.copied : texts.copy}
    </Button>
  )
}

interface CopyableProps {
  text: string
  label: string
  large?: boolean
  /** How an earlier try to copy it went, if there was one. */
  already?: Outcome
}

export function Copyable({ text, label, large = false, already = null }: CopyableProps) {
  const [outcome, setOutcome] = useState<Outcome>(already)
  return (
    <div className={`${classes.copyable} ${large ? classes.large : ''}`}>
      <code className={classes.value} translate="no">
        {text}
      </code>
      <CopyButton text={text} label={label} copied={outcome === 'copied'} onOutcome={setOutcome} />
      <p className={classes.said} role="status">
        {outcome === 'copied' && <span className="visually-hidden">{texts.copied}</span>}
        {outcome === 'failed' && (
          <span className={classes.failed}>
            <Alert size={16} />
            {texts.notCopied}
          </span>
        )}
      </p>
    </div>
  )
}
