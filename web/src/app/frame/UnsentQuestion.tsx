/** Asks before unsent requests are lost: at the user's own logout, or because another user logs in. */
import type { UnsentCount } from '../../offline/unsent'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Trash } from '../../ui/icons'
import { texts } from './unsentTexts'

interface UnsentQuestionProps {
  /** The owners of the unsent requests; `own`: the user who logs out. */
  own: boolean
  lost: readonly UnsentCount[]
  onGo: () => void
  onStay: () => void
}

export function UnsentQuestion({ own, lost, onGo, onStay }: UnsentQuestionProps) {
  const count = lost.reduce((sum, one) => sum + one.count, 0)
  const names = lost.map(({ username }) => username).join(', ')
  return (
    <ConfirmDialog
      title={texts.unsentTitle}
      confirm={own ? texts.leaveAnyway : texts.enterAnyway}
      {...(own ? { cancel: texts.stayIn } : {})}
      danger={<Trash size={18} />}
      onConfirm={onGo}
      onClose={onStay}
    >
      <p>{own ? texts.unsentOwn(count) : texts.unsentOthers(names, count)}</p>
    </ConfirmDialog>
  )
}
