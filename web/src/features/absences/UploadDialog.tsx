/** Uploads a sick note for a report. */
import { useState } from 'react'
import { Dialog } from '../../ui/Dialog'
import classes from './dialogs.module.css'
import type { Absence, Report } from './reports'
import { texts } from './texts'
import { UploadForm } from './UploadForm'

interface UploadDialogProps {
  userId: string
  report: Report
  day: Absence
  onClose: () => void
}

export function UploadDialog({ userId, report, day, onClose }: UploadDialogProps) {
  const [busy, setBusy] = useState(false)
  const span = texts.span(report.first, report.last)
  return (
    <Dialog title={texts.upload} sheet busy={busy} onClose={onClose}>
      <p className={classes.lead}>
        <strong>
          {report.reason ?? texts.absenceKinds[report.kind]}
          {', '}
          {span}
          {'.'}
        </strong>{' '}
        {report.noted !== null && texts.replaces}
      </p>
      <UploadForm
        userId={userId}
        id={day.id}
        day={report.first}
        span={span}
        onDone={onClose}
        onCancel={onClose}
        onBusy={setBusy}
      />
    </Dialog>
  )
}
