/** A form around its fields: the error above its button, and disabled fields while the service cannot be reached. */
import { type ComponentProps, type ReactNode, useCallback } from 'react'
import { useReachable } from '../api/connectivity'
import { Button } from '../ui/Button'
import { useFocusPassedOn } from '../ui/focus'
import { InSight } from '../ui/InSight'
import { ErrorNotice } from '../ui/Notice'
import classes from './Form.module.css'
import type { Form as FormState } from './useForm'

interface FormProps<All extends Record<string, unknown>>
  extends Omit<ComponentProps<'form'>, 'onSubmit' | 'ref' | 'form' | 'children'> {
  form: FormState<All>
  children: ReactNode
  /** Whether its request may wait on the device (`sending.ts`): the form then works offline too. */
  mayWait?: boolean
  /** The footer: the submit button's label, or several buttons. */
  buttons: ReactNode
}

export function Form<All extends Record<string, unknown>>({
  form,
  children,
  buttons,
  mayWait = false,
  className = '',
  ...rest
}: FormProps<All>) {
  const reachable = useReachable()
  // A form that restarts with the saved values, or closes, goes with its button.
  const passing = useFocusPassedOn<HTMLFormElement>()
  const { element } = form
  const ref = useCallback(
    (found: HTMLFormElement | null) => {
      passing.current = found
      element(found)
    },
    [passing, element],
  )
  return (
    <form {...rest} ref={ref} className={`${classes.form} ${className}`} onSubmit={form.onSubmit} noValidate>
      {/* A weak network does not disable a field while the user types in it. */}
      <fieldset className={classes.fields} disabled={!reachable && !form.touched && !mayWait}>
        {children}
        {form.failure !== null && (
          <InSight key={`${form.failure.title} ${form.failure.detail}`}>
            <ErrorNotice failure={form.failure} />
          </InSight>
        )}
        {typeof buttons === 'string' ? (
          <div>
            <Button type="submit" look="primary" busy={form.busy}>
              {buttons}
            </Button>
          </div>
        ) : (
          buttons
        )}
      </fieldset>
    </form>
  )
}
