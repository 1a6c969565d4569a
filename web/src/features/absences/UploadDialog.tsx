/** Hands in a sick note for a report. */
import { useState } from 'react'
import { Dialog } from '../../ui/Dialog'
import classes from './dialogs.module.css'
import type { Report } from './reports'
import { texts } from './texts'
import { UploadForm } from './UploadForm'

interface UploadDialogProps {
  userId: string
  report: Report
  onClose: () => void
}

export function UploadDialog({ userId, report, onClose }: UploadDialogProps) {
  const [busy, setBusy] = useState(false)
  const span = texts.span(report.first, report.last)
  return (
    <Dialog title={texts.upload} sheet busy={busy} onClose={onClose}>
      <p className={classes.lead}>
        <strong>
          {texts.absenceKinds[report.kind]}
          {', '}
          {span}
          {'.'}
        </strong>{' '}
        {report.noted !== null && texts.replaces}
      </p>
      <UploadForm
        userId={userId}
        id={report.day.id}
        day={report.first}
        span={span}
        onDone={onClose}
        onCancel={onClose}
        onBusy={setBusy}
      />
    </Dialog>
  )
}
