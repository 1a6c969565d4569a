/** Asks before clearing the inbox, which is final. */
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { texts } from './texts'

interface ReadAllDialogProps {
  count: number
  onRead: () => void
  onClose: () => void
}

export function ReadAllDialog({ count, onRead, onClose }: ReadAllDialogProps) {
  return (
    <ConfirmDialog title={texts.readAllTitle} confirm={texts.read} onConfirm={onRead} onClose={onClose}>
      <p>{texts.readAllQuestion(count)}</p>
    </ConfirmDialog>
  )
}
