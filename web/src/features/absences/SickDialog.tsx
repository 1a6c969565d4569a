/** A sick report: first and last day only. Afterwards a note can be uploaded, which is rarely needed. */
import { useState } from 'react'
import { FormDialog } from '../../patterns/FormDialog'
import type { Sent } from '../../patterns/sending'
import { succeed } from '../../patterns/succeed'
import { texts as patternTexts } from '../../patterns/texts'
import { filled, useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { DialogButtons, useFocusOnShow } from '../../ui/Dialog'
import { DayInput } from '../../ui/dates'
import { Upload } from '../../ui/icons'
import { Notice } from '../../ui/Notice'
import { texts as uiTexts } from '../../ui/texts'
import classes from './dialogs.module.css'
import type { Sick } from './preview'
import type { Absence } from './reports'
import { texts } from './texts'
import { UploadForm } from './UploadForm'
import { useReload, useReportSick } from './useAbsences'

interface SickDialogProps {
  userId: string
  days: Sick
  onClose: () => void
}

type Values = Record<keyof Sick, string>

export function SickDialog({ userId, days, onClose }: SickDialogProps) {
  const [made, setMade] = useState<readonly Absence[] | null>(null)
  const reload = useReload(userId)
  const form = useForm<Values, Sick, Sent<Absence[]>>({
    initial: { startDate: days.startDate, endDate: days.endDate },
    rules: {
      startDate: filled(texts.chooseStart),
      endDate: (end, { startDate }) => {
        if (end === '') return texts.chooseEnd
        return end < startDate && texts.endBeforeStart
      },
    },
    acting: useReportSick(),
    input: ({ startDate, endDate }) => ({ startDate, endDate }),
    onDone: sent => {
      if (sent?.state === 'sent') void reload()
      if (sent?.state === 'sent' && sent.data !== null && sent.data.length > 0) return setMade(sent.data)
      succeed(sent?.state === 'queued' ? patternTexts.queued : texts.reported)
      onClose()
    },
  })
  const { startDate, endDate } = form.values
  const [first] = made ?? []
  const answer =
    made === null || first === undefined
      ? {}
      : {
          answer: {
            title: texts.reported,
            content: (
              <Reported
                userId={userId}
                id={first.id}
                day={startDate}
                span={texts.span(startDate, endDate)}
                onClose={onClose}
              />
            ),
          },
        }
  return (
    <FormDialog
      title={texts.sickTitle}
      form={form}
      onClose={onClose}
      {...answer}
      mayWait
      submit={{ label: texts.reportSick, first: true }}
    >
      <p className={classes.lead}>{texts.sickLead}</p>
      <div className={classes.pair}>
        <DayInput
          {...form.field('startDate')}
          onChange={day => {
            form.set('startDate', day)
            if (day > endDate) form.set('endDate', day)
          }}
          label={texts.sickStart}
        />
        <DayInput {...form.field('endDate')} label={texts.sickEnd} min={startDate || undefined} />
      </div>
      <Notice>
        <p>{texts.eau}</p>
      </Notice>
    </FormDialog>
  )
}

interface ReportedProps {
  userId: string
  id: string
  day: string
  span: string
  onClose: () => void
}

/** The confirmation, with the option to upload a note. */
function Reported({ userId, id, day, span, onClose }: ReportedProps) {
  const [uploading, setUploading] = useState(false)
  const done = useFocusOnShow<HTMLButtonElement>()
  if (uploading)
    return <UploadForm userId={userId} id={id} day={day} span={span} onDone={onClose} onCancel={onClose} />
  return (
    <>
      <p>{texts.reportedLead(span)}</p>
      <p className={classes.hint}>{texts.later}</p>
      <DialogButtons>
        <Button icon={<Upload size={18} />} onClick={() => setUploading(true)}>
          {texts.upload}
        </Button>
        <Button ref={done} look="primary" onClick={onClose}>
          {uiTexts.done}
        </Button>
      </DialogButtons>
    </>
  )
}
