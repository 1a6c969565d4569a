/** Asks before a request is taken back. */
import type { Session } from '../../api/session'
import { succeed } from '../../patterns/succeed'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { dayInMonth } from '../../ui/days'
import { Swap } from '../../ui/icons'
import type { Asked } from './plan'
import { texts } from './texts'
import { useReload, useWithdraw } from './usePlan'

interface WithdrawDialogProps {
  session: Session
  asked: Asked
  onWithdrawn: () => void
  onClose: () => void
}

export function WithdrawDialog({ session, asked, onWithdrawn, onClose }: WithdrawDialogProps) {
  const withdrawing = useWithdraw(asked.id)
  const reload = useReload(session.userId)
  const confirm = async () => {
    const gone = (await withdrawing.run(undefined)) !== null
    // Also what was refused may have been decided meanwhile.
    void reload()
    if (!gone) return
    onWithdrawn()
    succeed(texts.withdrawn)
    onClose()
  }
  return (
    <ConfirmDialog
      title={texts.withdrawTitle}
      consequences={texts.withdrawConsequences(dayInMonth(asked.date), asked.toName)}
      confirm={texts.withdraw}
      danger={<Swap size={18} />}
      busy={withdrawing.busy}
      failure={withdrawing.failure}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
