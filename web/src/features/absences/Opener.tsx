/** A button that opens a dialog, whose code is fetched when the pointer or the focus comes near. */

import { fetched, withMantine } from '../../patterns/fetched'
import { Button, type ButtonProps } from '../../ui/Button'

export const Dialogs = fetched(
  withMantine(async () => (await import('./Dialogs')).Dialogs),
  null,
)

export function Opener(props: ButtonProps) {
  return (
    <Button
      {...props}
      aria-haspopup="dialog"
      onPointerEnter={Dialogs.prepare}
      onPointerDown={Dialogs.prepare}
      onFocus={Dialogs.prepare}
    />
  )
}
