/** Asks before an inquiry is deleted. */
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Trash } from '../../ui/icons'
import { type Inquiry, senderOf } from './inquiry'
import { texts } from './texts'
import { useRemoveInquiry } from './useInquiries'

interface RemoveInquiryProps {
  inquiry: Inquiry
  onRemoved: () => void
  onClose: () => void
}

export function RemoveInquiry({ inquiry, onRemoved, onClose }: RemoveInquiryProps) {
  const removing = useRemoveInquiry(inquiry.id)
  const confirm = async () => {
    if ((await removing.run(undefined)) === null) return
    onRemoved()
    onClose()
  }
  return (
    <ConfirmDialog
      title={texts.removeQuestion}
      consequences={texts.removeConsequences(senderOf(inquiry))}
      confirm={texts.remove}
      danger={<Trash size={18} />}
      busy={removing.busy}
      failure={removing.failure}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
