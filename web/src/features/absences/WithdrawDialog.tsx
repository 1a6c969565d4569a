/** Withdraws the user's own pending request, after a confirmation. */
import { succeed } from '../../patterns/succeed'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Trash } from '../../ui/icons'
import { texts } from './texts'
import { type LeaveRequest, useWithdraw } from './useAbsences'

interface WithdrawDialogProps {
  userId: string
  request: LeaveRequest
  onClose: () => void
}

export function WithdrawDialog({ userId, request, onClose }: WithdrawDialogProps) {
  const withdrawing = useWithdraw(userId, request.id)
  const requestText = `${texts.kinds[request.kind]}, ${texts.span(request.startDate, request.endDate)}`
  return (
    <ConfirmDialog
      title={texts.withdrawTitle}
      confirm={texts.withdraw}
      danger={<Trash size={18} />}
      acting={withdrawing}
      done={() => succeed(texts.withdrawn)}
      onClose={onClose}
    >
      <p>{texts.withdrawQuestion(requestText)}</p>
    </ConfirmDialog>
  )
}
