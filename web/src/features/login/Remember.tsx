/** Whether this device skips the code in future. */
import { Checkbox } from '../../ui/fields'
import { texts } from './texts'

interface RememberProps {
  remember: boolean
  onRemember: (remember: boolean) => void
}

export function Remember({ remember, onRemember }: RememberProps) {
  return (
    <Checkbox
      label={texts.remember}
      description={texts.rememberHint}
      checked={remember}
      onChange={event => onRemember(event.currentTarget.checked)}
    />
  )
}
