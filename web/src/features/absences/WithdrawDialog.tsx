/** Takes an own request back that nobody has decided, once that is confirmed. */
import { succeed } from '../../patterns/succeed'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Trash } from '../../ui/icons'
import { texts } from './texts'
import { type LeaveRequest, useReload, useWithdraw } from './useAbsences'

interface WithdrawDialogProps {
  userId: string
  request: LeaveRequest
  onClose: () => void
}

export function WithdrawDialog({ userId, request, onClose }: WithdrawDialogProps) {
  const withdrawing = useWithdraw(request.id)
  const reload = useReload(userId)
  const confirm = async () => {
    const gone = (await withdrawing.run(undefined)) !== null
    // Also what was refused may have been decided meanwhile.
    void reload()
    if (!gone) return
    succeed(texts.withdrawn)
    onClose()
  }
  const what = `${texts.kinds[request.kind]}, ${texts.span(request.startDate, request.endDate)}`
  return (
    <ConfirmDialog
      title={texts.withdrawTitle}
      confirm={texts.withdraw}
      danger={<Trash size={18} />}
      busy={withdrawing.busy}
      failure={withdrawing.failure}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{texts.withdrawQuestion(what)}</p>
    </ConfirmDialog>
  )
}
