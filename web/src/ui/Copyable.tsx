/** A value with a button that copies it to the clipboard, or reports that it could not. */
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

/** Copying at a press, and how that went. */
export function useCopy(text: string, already: Outcome = null): [Outcome, () => Promise<void>] {
  const [outcome, setOutcome] = useState<Outcome>(already)
  const press = async () => {
    setOutcome(null)
    setOutcome((await copy(text)) ? 'copied' : 'failed')
  }
  return [outcome, press]
}

interface CopyTextProps {
  text: string
  /** The name of the copied value for screen readers. */
  label: string
  /** How an earlier try to copy it went, if there was one. */
  already?: Outcome
}

/** Only the button, with its outcome. */
export function CopyText({ text, label, already = null }: CopyTextProps) {
  const [outcome, press] = useCopy(text, already)
  const copied = outcome === 'copied'
  return (
    <>
      <Button
        aria-label={`${copied ? texts.copied.replace('.', '') : texts.copy}: ${label}`}
        icon={copied ? <Check size={18} /> : <Copy size={18} />}
        onClick={press}
      >
        {copied ? texts.copied : texts.copy}
      </Button>
      <p className={classes.said} role="status">
        {copied && <span className="visually-hidden">{texts.copied}</span>}
        {outcome === 'failed' && (
          <span className={classes.failed}>
            <Alert size={16} />
            {texts.notCopied}
          </span>
        )}
      </p>
    </>
  )
}

interface CopyableProps extends CopyTextProps {
  large?: boolean
  /** In groups of four, for who types it; copied it is one word. */
  grouped?: boolean
}

const GROUP = 4

export function Copyable({ text, large = false, grouped = false, ...rest }: CopyableProps) {
  return (
    <div className={`${classes.copyable} ${large ? classes.large : ''}`}>
      <code className={classes.value} translate="no">
        {grouped ? <Groups text={text} /> : text}
      </code>
      <CopyText text={text} {...rest} />
    </div>
  )
}

/** Nested, so that the parts need no names: the first four characters, then the rest. */
function Groups({ text }: { text: string }) {
  return (
    <>
      <span className={classes.group}>{text.slice(0, GROUP)}</span>
      {text.length > GROUP && <Groups text={text.slice(GROUP)} />}
    </>
  )
}
