/** A choice of two, each with its price. */
import classes from './Configurator.module.css'

interface PickProps<Value extends string> {
  label: string
  name: string
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: string; price: string }[]
}

export function Pick<Value extends string>({ label, name, value, onChange, options }: PickProps<Value>) {
  return (
    <fieldset className={classes.pick}>
      <legend>{label}</legend>
      <div className={classes.options}>
        {options.map(option => (
          <label key={option.value} className={classes.option}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>
              <strong>{option.label}</strong>
              <small>{option.price}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
