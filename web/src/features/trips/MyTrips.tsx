/** "Dienstfahrten" of an employee: the way to ask that one be paid. */
import { useState } from 'react'
import { FormDialog } from '../../patterns/FormDialog'
import { Page } from '../../patterns/Page'
import { succeed } from '../../patterns/succeed'
import { filled, useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { DayInput } from '../../ui/dates'
import { dayOf } from '../../ui/days'
import { TextInput } from '../../ui/fields'
import { Plus } from '../../ui/icons'
import { EmptyState } from '../../ui/states'
import { texts } from './texts'
import { useAskForTrip } from './useTrips'

const LINE_LIMIT = 200
const MOST_KILOMETRES = 5_000

export function MyTrips() {
  const [asking, setAsking] = useState(false)
  const ask = (
    <Button look="primary" icon={<Plus size={20} />} onClick={() => setAsking(true)}>
      {texts.ask}
    </Button>
  )
  return (
    <Page title={texts.title} lead={texts.lead}>
      <EmptyState sentence={texts.howItGoes} action={ask} />
      {asking && <AskDialog onClose={() => setAsking(false)} />}
    </Page>
  )
}

const RULES = {
  date: filled(texts.fillIn),
  destination: filled(texts.fillIn),
  kilometres: (typed: string) => {
    const whole = /^\s*\d+\s*$/.test(typed) ? Number(typed) : 0
    return (whole < 1 || whole > MOST_KILOMETRES) && texts.noKilometres
  },
  purpose: filled(texts.fillIn),
}

function AskDialog({ onClose }: { onClose: () => void }) {
  const today = dayOf(new Date())
  const form = useForm({
    initial: { date: today, destination: '', kilometres: '', purpose: '' },
    rules: RULES,
    acting: useAskForTrip(),
    input: ({ kilometres, ...trip }) => ({ ...trip, kilometres: Number(kilometres) }),
    onDone: () => {
      succeed(texts.asked)
      onClose()
    },
  })
  return (
    <FormDialog title={texts.ask} form={form} onClose={onClose} submit={texts.send}>
      <DayInput {...form.field('date')} label={texts.day} max={today} />
      <TextInput
        {...form.field('destination')}
        label={texts.destination}
        maxLength={LINE_LIMIT}
        data-autofocus
      />
      <TextInput
        {...form.field('kilometres')}
        label={texts.kilometres}
        description={texts.kilometresHint}
        inputMode="numeric"
        autoComplete="off"
      />
      <TextInput {...form.field('purpose')} label={texts.purpose} maxLength={LINE_LIMIT} />
    </FormDialog>
  )
}
