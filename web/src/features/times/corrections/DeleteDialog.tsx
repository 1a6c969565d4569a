/** Deletes an entry for good, once that is ticked. */
import { useRef, useState } from 'react'
import { succeed } from '../../../patterns/succeed'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { dayInMonth } from '../../../ui/days'
import { Checkbox } from '../../../ui/fields'
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
  const [ticked, setTicked] = useState(false)
  const [wrong, setWrong] = useState(false)
  const tick = useRef<HTMLInputElement>(null)
  const confirm = async () => {
    setWrong(!ticked)
    if (!ticked) return tick.current?.focus()
    if ((await deleting.run(undefined)) === null) return
    succeed(texts.deleted)
    onClose()
  }
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      consequences={texts.deleteConsequences}
      confirm={texts.delete}
      danger={<Trash size={18} />}
      busy={deleting.busy}
      failure={deleting.failure}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p className={classes.span}>
        {dayInMonth(entry.date)}
        {', '}
        <Span entry={entry} day={entry.date} />
      </p>
      <Checkbox
        ref={tick}
        label={texts.deleteTick}
        checked={ticked}
        onChange={event => {
          setTicked(event.currentTarget.checked)
          setWrong(false)
        }}
        error={wrong && texts.deleteUnticked}
      />
    </ConfirmDialog>
  )
}
