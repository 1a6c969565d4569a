/** Asks before a login is deleted. */
import type { User } from '../../entities/people/people'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Trash } from '../../ui/icons'
import { texts } from './texts'
import { useDeleteUser } from './useUsers'

interface DeleteLoginProps {
  companyId: string
  user: User
  onDeleted: () => void
  onClose: () => void
}

export function DeleteLogin({ companyId, user, onDeleted, onClose }: DeleteLoginProps) {
  const deleting = useDeleteUser(companyId, user.id)
  const confirm = async () => {
    if ((await deleting.run(undefined)) === null) return
    onDeleted()
    onClose()
  }
  return (
    <ConfirmDialog
      title={texts.removeQuestion(user.username)}
      confirm={texts.removeConfirm}
      danger={<Trash size={18} />}
      busy={deleting.busy}
      failure={deleting.failure}
      onConfirm={confirm}
      onClose={onClose}
      consequences={texts.removeConsequences}
    />
  )
}
