/** The company's opening hours, by weekday. */
import { texts as datedTexts } from '../../patterns/dated/texts'
import { Form } from '../../patterns/Form'
import { succeed } from '../../patterns/succeed'
import { useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { DayInput } from '../../ui/dates'
import { TimeInput } from '../../ui/times'
import { texts } from './texts'
import { type Hours, useSaveHours } from './useHours'

type Day = { open: string; close: string }

const QUICK: Day = { open: '09:00', close: '18:00' }
const CLOSED: Day = { open: '', close: '' }
/** The hint omits the day after. */
const isReversed = ({ open, close }: Day) => open !== '' && close !== '' && close <= open
const KEYS = ['0', '1', '2', '3', '4', '5', '6'] as const

export function OpeningForm({ companyId, known }: { companyId: string; known: Hours }) {
  const { acting, question } = useSaveHours(companyId)
  const form = useForm({
    initial: { days: KEYS.map(key => known.openingHours[key] ?? CLOSED), validFrom: '' },
    rules: { days: (days: readonly Day[]) => days.some(isReversed) && texts.reversed },
    acting,
    // A half-set day is closed: a day is open only if both times are set.
    input: ({ days, validFrom }) => ({
      openingHours: Object.fromEntries(
        days.map((day, key) => [String(key), day.open !== '' && day.close !== '' ? day : null]),
      ),
      ...(validFrom !== '' && { validFrom }),
    }),
    onDone: () => succeed(texts.saved),
  })
  const { days } = form.values
  const complaint = form.field('days').error
  const set = (place: number, change: Partial<Day>) =>
    form.set(
      'days',
      days.map((day, other) => (other === place ? { ...day, ...change } : day)),
    )
  return (
    <>
      <Form form={form} buttons={texts.saveOpening}>
        {texts.weekdays.map((name, index) => {
          const { open, close } = days[index] ?? CLOSED
          return (
            <div key={name} style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: 8 }}>
              {(['open', 'close'] as const).map(end => (
                <div key={end} style={{ flex: '0 0 136px' }}>
                  <TimeInput
                    label={texts[end](name)}
                    value={end === 'open' ? open : close}
                    error={end === 'close' && isReversed({ open, close }) && complaint}
                    onChange={time => set(index, { [end]: time })}
                  />
                </div>
              ))}
              <Button aria-label={texts.quickFillOf(name)} onClick={() => set(index, QUICK)}>
                {texts.quickFill}
              </Button>
              <Button look="plain" aria-label={texts.closedOf(name)} onClick={() => set(index, CLOSED)}>
                {texts.closed}
              </Button>
            </div>
          )
        })}
        <DayInput
          {...form.field('validFrom')}
          label={datedTexts.validFrom}
          description={datedTexts.validFromHint}
        />
      </Form>
      {question}
    </>
  )
}
