/** Deletes an entry permanently, after a tick. */
import { succeed } from '../../../patterns/succeed'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { dayInMonth } from '../../../ui/days'
import { Trash } from '../../../ui/icons'
import { Span } from '../entryParts'
import type { TimeEntry } from '../sheet'
import classes from './CorrectionDialog.module.css'
import { texts } from './texts'
import { useDeleteEntry } from './useCorrections'

interface DeleteDialogProps {
  userId: string
  entry: TimeEntry
  onClose: () => void
}

export function DeleteDialog({ userId, entry, onClose }: DeleteDialogProps) {
  const deleting = useDeleteEntry(userId, entry.id)
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      consequences={texts.deleteConsequences}
      confirm={texts.delete}
      danger={<Trash size={18} />}
      ticked={{ label: texts.deleteTick, wrong: texts.deleteUnticked }}
      acting={deleting}
      done={() => succeed(texts.deleted)}
      onClose={onClose}
    >
      <p className={classes.span}>
        {dayInMonth(entry.date)}
        {', '}
        <Span entry={entry} day={entry.date} />
      </p>
    </ConfirmDialog>
  )
}
