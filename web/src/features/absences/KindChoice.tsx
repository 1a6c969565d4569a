/** Vacation or wish: a choice of two tiles. */
import { useId } from 'react'
import { CalendarNow, Sun } from '../../ui/icons'
import classes from './KindChoice.module.css'
import type { Wish } from './preview'
import { texts } from './texts'

type Kind = Wish['kind']

const ICONS = { vacation: Sun, wish: CalendarNow }

interface KindChoiceProps {
  value: Kind
  vacationEnabled: boolean
  onChange: (kind: Kind) => void
}

export function KindChoice({ value, vacationEnabled, onChange }: KindChoiceProps) {
  const id = useId()
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.legend}>{texts.kind}</legend>
      {(['vacation', 'wish'] as const).map(kind => {
        const off = kind === 'vacation' && !vacationEnabled
        const Icon = ICONS[kind]
        return (
          <label key={kind} className={classes.tile}>
            <input
              type="radio"
              name={id}
              className={classes.radio}
              checked={value === kind}
              disabled={off}
              aria-describedby={`${id}-${kind}`}
              onChange={() => onChange(kind)}
              data-autofocus={value === kind || undefined}
            />
            <Icon size={22} />
            <span className={classes.words}>
              <span className={classes.name}>{texts.kinds[kind]}</span>
              <span id={`${id}-${kind}`} className={classes.hint} aria-hidden="true">
                {off ? texts.disabled : texts.kindHints[kind]}
              </span>
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}
