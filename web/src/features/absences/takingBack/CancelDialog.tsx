/** Asks the administrators to cancel the user's approved leave; they decide. */
import { api, dataOf } from '../../../api/client'
import { FormDialog } from '../../../patterns/FormDialog'
import { succeed } from '../../../patterns/succeed'
import { useAct } from '../../../patterns/useAct'
import { useForm } from '../../../patterns/useForm'
import { Textarea } from '../../../ui/fields'
import { type LeaveRequest, useReload } from '../useAbsences'
import { texts } from './texts'

interface CancelDialogProps {
  userId: string
  request: LeaveRequest
  onClose: () => void
}

export function CancelDialog({ userId, request, onClose }: CancelDialogProps) {
  const reload = useReload(userId)
  const params = { path: { id: request.id } }
  const form = useForm({
    initial: { reason: '' },
    acting: useAct(
      async (body: { reason: string | null }) =>
        dataOf(await api.POST('/api/vacation-requests/{id}/cancel-request', { params, body })),
      texts.cancelFailed,
    ),
    input: ({ reason }) => ({ reason: reason.trim() || null }),
    onDone: () => {
      void reload()
      succeed(texts.cancelWished)
      onClose()
    },
  })
  return (
    <FormDialog title={texts.cancelTitle} form={form} submit={texts.cancelSend} onClose={onClose}>
      <p>{texts.cancelLead(texts.leave(request))}</p>
      <Textarea {...form.field('reason')} label={texts.reason} maxLength={2_000} rows={2} />
    </FormDialog>
  )
}
