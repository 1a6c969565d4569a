/** Asks once more before a duty is one's own. What went wrong stands where the hand-over does: it may be gone by then. */
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { longDay } from '../../ui/days'
import type { Offer } from './offers'
import { texts } from './texts'

interface AcceptDialogProps {
  offer: Offer
  busy: boolean
  onAccept: () => void
  onClose: () => void
}

export function AcceptDialog({ offer, busy, onAccept, onClose }: AcceptDialogProps) {
  return (
    <ConfirmDialog
      title={texts.acceptTitle}
      confirm={texts.accept}
      busy={busy}
      onConfirm={onAccept}
      onClose={onClose}
    >
      <p>
        <strong>{texts.acceptQuestion(longDay(offer.date))}</strong>
      </p>
      <p>{texts.acceptLead(offer.requesterName)}</p>
    </ConfirmDialog>
  )
}
