/** Withdraws the user's open sick report: one of its days, or all open ones. */
import { api, ignoreNotFound } from '../../../api/client'
import { FormDialog } from '../../../patterns/FormDialog'
import { succeed } from '../../../patterns/succeed'
import { useAct } from '../../../patterns/useAct'
import { useForm } from '../../../patterns/useForm'
import { longDay } from '../../../ui/days'
import { Trash } from '../../../ui/icons'
import { Select } from '../../../ui/Select'
import type { Report } from '../reports'
import { useReload } from '../useAbsences'
import { texts } from './texts'

const ALL = 'all'

interface RecoverDialogProps {
  userId: string
  report: Report
  onClose: () => void
}

export function RecoverDialog({ userId, report: { open }, onClose }: RecoverDialogProps) {
  const reload = useReload(userId)
  const form = useForm({
    initial: { day: ALL },
    acting: useAct(async ({ id, report }: { id: string; report: boolean }) => {
      const params = { path: { id }, query: { report } }
      return ignoreNotFound(await api.DELETE('/api/absences/{id}', { params }).finally(() => void reload()))
    }, texts.recoverFailed),
    input: ({ day }) => (day === ALL ? { id: open[0]?.id ?? '', report: true } : { id: day, report: false }),
    onDone: () => {
      succeed(texts.recovered)
      onClose()
    },
  })
  const days = open.map(({ id, date }) => ({ value: id, label: longDay(date) }))
  return (
    <FormDialog
      title={texts.recoverTitle}
      form={form}
      submit={{ label: texts.recover, danger: <Trash size={18} /> }}
      onClose={onClose}
    >
      <p>{texts.recoverLead}</p>
      {days.length > 1 && (
        <Select
          {...form.field('day')}
          label={texts.recoverWhich}
          data={[{ value: ALL, label: texts.recoverAll(days.length) }, ...days]}
        />
      )}
    </FormDialog>
  )
}
