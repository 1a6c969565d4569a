/** Requests vacation or a wish, with a preview of its costs. */
import type { KeyboardEvent } from 'react'
import { FormDialog } from '../../patterns/FormDialog'
import type { Sent } from '../../patterns/sending'
import { succeed } from '../../patterns/succeed'
import { texts as patternTexts } from '../../patterns/texts'
import { filled, useForm } from '../../patterns/useForm'
import { DayInput } from '../../ui/dates'
import { Checkbox, Textarea } from '../../ui/fields'
import classes from './dialogs.module.css'
import { KindChoice } from './KindChoice'
import { PreviewBox } from './PreviewBox'
import type { Wish } from './preview'
import { texts } from './texts'
import { useAskForLeave, useReload } from './useAbsences'

const REASON_LIMIT = 2_000

interface RequestDialogProps {
  userId: string
  wish: Wish
  vacationEnabled: boolean
  onClose: () => void
}

/** Enter in a date field does not submit the request before the preview is visible. */
const staysHere = (event: KeyboardEvent) => {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}

/** The service's names, so that its errors reach their fields. */
type Values = Omit<Wish, 'reason'> & { reason: string }

export function RequestDialog({ userId, wish, vacationEnabled, onClose }: RequestDialogProps) {
  const reload = useReload(userId)
  const form = useForm<Values, Wish, Sent<unknown>>({
    initial: { ...wish, kind: vacationEnabled ? wish.kind : 'wish', reason: wish.reason ?? '' },
    rules: {
      kind: kind => kind === 'vacation' && !vacationEnabled && texts.disabled,
      startDate: filled(texts.chooseStart),
      endDate: (end, { startDate }) => {
        if (end === '') return texts.chooseEnd
        return end < startDate && texts.endBeforeStart
      },
      endHalf: (half, { startHalf, startDate, endDate }) =>
        half && startHalf && startDate === endDate && texts.bothHalves,
    },
    acting: useAskForLeave(),
    input: ({ reason, ...days }) => ({ ...days, reason: reason.trim() || null }),
    onDone: sent => {
      if (sent?.state === 'sent') void reload()
      succeed(sent?.state === 'queued' ? patternTexts.queued : texts.requested)
      onClose()
    },
  })
  const { startDate, endDate } = form.values
  const single = startDate !== '' && startDate === endDate
  return (
    <FormDialog title={texts.ask} form={form} size={560} onClose={onClose} mayWait submit={texts.send}>
      <KindChoice
        value={form.values.kind}
        vacationEnabled={vacationEnabled}
        onChange={kind => form.set('kind', kind)}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it takes nothing; it only leaves the keys to the fields */}
      <div className={classes.pair} onKeyDown={staysHere}>
        <DayInput
          {...form.field('startDate')}
          onChange={day => {
            form.set('startDate', day)
            if (day !== '' && (endDate === '' || day > endDate)) form.set('endDate', day)
          }}
          label={texts.start}
        />
        <DayInput {...form.field('endDate')} label={texts.end} min={startDate || undefined} />
      </div>
      <fieldset className={classes.halves}>
        <legend className="visually-hidden">{texts.halves}</legend>
        <Checkbox {...form.tick('startHalf')} label={single ? texts.afternoonTick : texts.startHalfTick} />
        <Checkbox {...form.tick('endHalf')} label={single ? texts.morningTick : texts.endHalfTick} />
      </fieldset>
      <PreviewBox userId={userId} asked={form.values} />
      <Textarea {...form.field('reason')} label={texts.reason} maxLength={REASON_LIMIT} rows={2} />
    </FormDialog>
  )
}
