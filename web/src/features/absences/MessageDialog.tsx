/** A message to the administrators about an open absence. */
import { FormDialog } from '../../patterns/FormDialog'
import type { Sent } from '../../patterns/sending'
import { succeed } from '../../patterns/succeed'
import { texts as patternTexts } from '../../patterns/texts'
import { useForm } from '../../patterns/useForm'
import { Textarea } from '../../ui/fields'
import classes from './dialogs.module.css'
import type { Absence } from './reports'
import { texts } from './texts'
import { useSay } from './useAbsences'

const LIMIT = 2_000

interface MessageDialogProps {
  day: Absence
  text: string
  onClose: () => void
}

export function MessageDialog({ day, text, onClose }: MessageDialogProps) {
  const form = useForm<{ message: string }, { message: string }, Sent<unknown>>({
    initial: { message: text },
    acting: useSay(day.id),
    input: ({ message }) => ({ message: message.trim() }),
    onDone: sent => {
      succeed(sent?.state === 'queued' ? patternTexts.queued : texts.messageSent)
      onClose()
    },
  })
  return (
    <FormDialog
      title={texts.message}
      form={form}
      onClose={onClose}
      mayWait
      submit={{ label: texts.messageSend, disabled: form.values.message.trim() === '' }}
    >
      <p className={classes.lead}>
        <strong>
          {texts.absenceKinds[day.kind]}
          {', '}
          {texts.span(day.date, day.date)}
          {'.'}
        </strong>{' '}
        {day.userMessage === null ? texts.messageLead : texts.messageReplaces}
      </p>
      <Textarea
        {...form.field('message')}
        label={texts.messageText}
        placeholder={texts.messageExample}
        maxLength={LIMIT}
        rows={4}
        data-autofocus
      />
    </FormDialog>
  )
}
