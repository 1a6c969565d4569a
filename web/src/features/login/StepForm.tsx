/** What every step's form has: title, lead, fields, one large button, and small ways below. */
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
  /** What is wrong with all of it; what is wrong with one field stands there. */
  complaint?: string | null
  submit: string
  /** Whether there is anything to be sent; else the button says that there is not, and pressed, what is missing. */
  ready?: boolean
  /** Whether the button is at work. */
  busy: boolean
  onSubmit: (form: HTMLFormElement) => void
  /** Another way than the button, beside "Zurück". */
  aside?: ReactNode
  back?: string
  /** Another one sends the focus to the first field. */
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

/** At the first turn of all the modal itself has given the focus. */
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

/** Says at the field what is wrong with it, to ears at once. */
export const ALERT = { role: 'alert' } as const

interface OneField {
  login: Login
  /** What stands in the only field of the step. */
  value: string
}

/** A step with one field: whether it was sent off empty, and what is wrong with it. */
export function useOneField({ login, value }: OneField) {
  const [empty, setEmpty] = useState(false)
  const blank = value.trim() === ''
  return {
    ready: !blank,
    error: empty && blank ? texts.fillIn : login.state.sentence,
    /** For another way in the same step, of which nothing is wrong yet. */
    forget: () => setEmpty(false),
    /** Sends what stands there, or complains that nothing does. */
    unlessEmpty: (send: () => void) => (form: HTMLFormElement) => {
      setEmpty(blank)
      if (blank) form.querySelector('input')?.focus()
      else send()
    },
  }
}
