/** Asks before taking over a duty. Errors appear at the hand-over, since the dialog may be closed when they arrive. */
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
