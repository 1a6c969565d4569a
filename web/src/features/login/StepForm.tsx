/** Common parts of every step's form: title, lead, fields, one large button, and small links below. */
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/Button'
import { InSight } from '../../ui/InSight'
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
  /** The error of the whole form; field errors are at their fields. */
  complaint?: string | null
  submit: string
  /** Whether the form is complete; else the button is marked as unavailable, and a press reports what is missing. */
  ready?: boolean
  /** Whether the request is in flight. */
  busy: boolean
  onSubmit: (form: HTMLFormElement) => void
  /** An alternative to the button, next to "Zurück". */
  aside?: ReactNode
  back?: string
  /** A new value focuses the first field. */
  turn?: string
}

export function StepForm(props: StepFormProps) {
  const { login, title, lead, children, complaint = null, submit, ready = true, busy, aside } = props
  const { step, busy: request } = login.state
  const form = useFirstField(login.state.turn, props.turn)
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    props.onSubmit(event.currentTarget)
  }
  return (
    <form ref={form} className={classes.form} onSubmit={send} noValidate>
      {title !== undefined && <h3 className={classes.title}>{title}</h3>}
      <div className={classes.lead}>{lead}</div>
      {children}
      {complaint !== null && (
        <InSight key={complaint}>
          <Notice tone="error" live="assertive">
            <p>{complaint}</p>
          </Notice>
        </InSight>
      )}
      <div className={classes.send}>
        <Button
          look="primary"
          type="submit"
          wide
          busy={busy}
          aria-disabled={!ready || request !== null || undefined}
        >
          {submit}
        </Button>
      </div>
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

/** The modal itself sets the focus at the first turn. */
function useFirstField(turn: number, own = '') {
  const form = useRef<HTMLFormElement>(null)
  const lastTurn = useRef(`0${own}`)
  useEffect(() => {
    if (lastTurn.current === `${turn}${own}`) return
    lastTurn.current = `${turn}${own}`
    const first = form.current?.querySelector('input')
    first?.focus()
    first?.select()
  }, [turn, own])
  return form
}

/** Announces a field's error at once. */
export const ALERT = { role: 'alert' } as const

interface OneField {
  login: Login
  /** The value of the step's only field. */
  value: string
}

/** A step with one field: whether it was submitted empty, and its error. */
export function useOneField({ login, value }: OneField) {
  const [empty, setEmpty] = useState(false)
  const blank = value.trim() === ''
  return {
    ready: !blank,
    error: empty && blank ? texts.fillIn : login.state.sentence,
    /** For another action of the same step, which has no error yet. */
    forget: () => setEmpty(false),
    /** Sends the value, or reports that it is empty. */
    unlessEmpty: (send: () => void) => (form: HTMLFormElement) => {
      setEmpty(blank)
      if (blank) form.querySelector('input')?.focus()
      else send()
    },
  }
}
