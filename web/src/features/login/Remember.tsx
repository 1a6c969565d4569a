/** "Dieses Gerät 30 Tage merken": spares the second factor here, and never the password. */
import { useId } from 'react'
import classes from './StepForm.module.css'
import { texts } from './texts'

interface RememberProps {
  checked: boolean
  onChange: (checked: boolean) => void
}

export function Remember({ checked, onChange }: RememberProps) {
  const id = useId()
  return (
    <div className={classes.remember}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={`${id}-hint`}
        onChange={event => onChange(event.currentTarget.checked)}
      />
      <label htmlFor={id}>{texts.remember}</label>
      <p id={`${id}-hint`}>{texts.rememberHint}</p>
    </div>
  )
}
