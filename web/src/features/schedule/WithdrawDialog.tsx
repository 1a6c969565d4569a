/** Asks before a request is withdrawn. */
import type { Session } from '../../api/session'
import { succeed } from '../../patterns/succeed'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { dayInMonth } from '../../ui/days'
import { Swap } from '../../ui/icons'
import type { SwapRequest } from './plan'
import { texts } from './texts'
import { useWithdraw } from './usePlan'

interface WithdrawDialogProps {
  session: Session
  asked: SwapRequest
  onWithdrawn: () => void
  onClose: () => void
}

export function WithdrawDialog({ session, asked, onWithdrawn, onClose }: WithdrawDialogProps) {
  const withdrawing = useWithdraw(session.userId, asked.id)
  return (
    <ConfirmDialog
      title={texts.withdrawTitle}
      consequences={texts.withdrawConsequences(dayInMonth(asked.date), asked.toName)}
      confirm={texts.withdraw}
      danger={<Swap size={18} />}
      acting={withdrawing}
      done={() => {
        onWithdrawn()
        succeed(texts.withdrawn)
      }}
      onClose={onClose}
    />
  )
}
