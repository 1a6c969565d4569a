/** Asks before unsaved input is lost. */
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { Trash } from '../ui/icons'
import { texts } from './texts'

export function Discard({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <ConfirmDialog
      title={texts.leaveTitle}
      confirm={texts.leaveConfirm}
      cancel={texts.leaveStay}
      danger={<Trash size={18} />}
      onConfirm={onLeave}
      onClose={onStay}
    >
      <p>{texts.leaveQuestion}</p>
    </ConfirmDialog>
  )
}
