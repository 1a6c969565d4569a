/** What every step's form has: title, lead, fields, the box for what went wrong, one large button, and small ways below. */
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../ui/Button'
import { ChevronLeft } from '../../ui/icons'
import { Notice } from '../../ui/Notice'
import classes from './StepForm.module.css'
import { texts } from './texts'
import type { Login } from './useLogin'

interface StepFormProps {
  login: Login
  title?: string
  lead: ReactNode
  children: ReactNode
  /** What this form itself finds wrong, before the service is asked. */
  complaint?: string | null
  submit: string
  /** Whether the button is at work. */
  busy: boolean
  disabled?: boolean
  onSubmit: (form: HTMLFormElement) => void
  /** Another way than the button, beside "Zurück". */
  aside?: ReactNode
  back?: string
  /** Another one sends the focus to the first field. */
  turn?: string
}

export function StepForm(props: StepFormProps) {
  const { login, title, lead, children, complaint = null, submit, busy, disabled = false, aside } = props
  const { step, sentence } = login.state
  const form = useFirstField(login.state.turn, props.turn)
  const wrong = complaint ?? sentence
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    props.onSubmit(event.currentTarget)
  }
  return (
    <form ref={form} className={classes.form} onSubmit={send} noValidate>
      {title !== undefined && <h3 className={classes.title}>{title}</h3>}
      <div className={classes.lead}>{lead}</div>
      {children}
      {wrong !== null && (
        <Notice tone="error" live="assertive">
          <p>{wrong}</p>
        </Notice>
      )}
      <Button look="primary" type="submit" wide busy={busy} disabled={disabled}>
        {submit}
      </Button>
      {step !== 'credentials' && (
        <div className={classes.ways}>
          <Button look="plain" icon={<ChevronLeft size={18} />} onClick={login.back}>
            {props.back ?? texts.back}
          </Button>
          {aside}
        </div>
      )}
    </form>
  )
}

/** At the first turn of all the modal itself has given the focus. */
function useFirstField(turn: number, own = '') {
  const form = useRef<HTMLFormElement>(null)
  const known = useRef(`0${own}`)
  useEffect(() => {
    if (known.current === `${turn}${own}`) return
    known.current = `${turn}${own}`
    const first = form.current?.querySelector('input')
    first?.focus()
    first?.select()
  }, [turn, own])
  return form
}
