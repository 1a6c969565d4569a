/** Withdraws the user's request, after a confirmation. */
import { succeed } from '../../../patterns/succeed'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { Trash } from '../../../ui/icons'
import { texts } from './texts'
import { type Correction, useWithdraw } from './useCorrections'

interface WithdrawDialogProps {
  userId: string
  correction: Correction
  onClose: () => void
}

export function WithdrawDialog({ userId, correction, onClose }: WithdrawDialogProps) {
  const withdrawing = useWithdraw(userId, correction.id)
  return (
    <ConfirmDialog
      title={texts.withdrawTitle}
      confirm={texts.withdraw}
      danger={<Trash size={18} />}
      acting={withdrawing}
      done={() => succeed(texts.withdrawn)}
      onClose={onClose}
    >
      <p>{texts.withdrawQuestion}</p>
    </ConfirmDialog>
  )
}
