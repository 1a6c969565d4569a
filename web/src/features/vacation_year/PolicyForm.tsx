/** The vacation policy: the yearly allowance, for all or each, and the expiry of the remainder. */
import { texts as datedTexts } from '../../patterns/dated/texts'
import { Form } from '../../patterns/Form'
import { succeed } from '../../patterns/succeed'
import { useForm } from '../../patterns/useForm'
import { DayInput } from '../../ui/dates'
import { Checkbox, TextInput } from '../../ui/fields'
import { Select } from '../../ui/Select'
import { texts } from './texts'
import { type Person, type Policy, useSavePolicy } from './useYear'
import { carryFrom, carryTyped, daysFrom, daysTyped } from './year'

const MODES = ['uniform', 'perUser'] as const

type Typed = {
  mode: Policy['mode']
  uniform: string
  of: Record<string, string>
  carryUntil: string
  scaleByWorkdays: boolean
  validFrom: string
}

const wrong = (text: string) => daysFrom(text) === undefined

interface PolicyFormProps {
  companyId: string
  known: Policy
  people: readonly Person[]
}

export function PolicyForm({ companyId, known, people }: PolicyFormProps) {
  const { acting, question } = useSavePolicy(companyId)
  const form = useForm({
    initial: {
      mode: known.mode,
      uniform: daysTyped(known.uniformDays),
      of: Object.fromEntries(people.map(({ userId }) => [userId, daysTyped(known.perUser[userId])])),
      carryUntil: carryTyped(known.carryUntil),
      scaleByWorkdays: known.scaleByWorkdays,
      validFrom: '',
    } as Typed,
    rules: {
      uniform: (text: string, { mode }: Typed) => mode === 'uniform' && wrong(text) && texts.daysWrong,
      of: (all: Record<string, string>, { mode }: Typed) =>
        mode === 'perUser' && Object.values(all).some(wrong) && texts.daysWrong,
      carryUntil: (text: string) => carryFrom(text) === undefined && texts.carryWrong,
    },
    acting,
    input: ({ mode, uniform, of, carryUntil, scaleByWorkdays, validFrom }: Typed) => ({
      mode,
      uniformDays: mode === 'uniform' ? (daysFrom(uniform) ?? null) : known.uniformDays,
      perUser:
        mode === 'perUser'
          ? {
              ...known.perUser,
              ...Object.fromEntries(Object.entries(of).map(([id, days]) => [id, daysFrom(days) ?? null])),
            }
          : known.perUser,
      carryUntil: carryFrom(carryUntil) ?? null,
      scaleByWorkdays,
      ...(validFrom !== '' && { validFrom }),
    }),
    onDone: () => succeed(texts.policySaved),
  })
  const { mode, of } = form.values
  const complaint = form.field('of').error
  return (
    <>
      <Form form={form} buttons={texts.savePolicy}>
        <Select
          {...form.field('mode')}
          label={texts.mode}
          data={MODES.map(value => ({ value, label: texts.modes[value] }))}
        />
        {mode === 'uniform' && (
          <TextInput {...form.field('uniform')} label={texts.uniform} inputMode="decimal" />
        )}
        {mode === 'uniform' && (
          <Checkbox {...form.tick('scaleByWorkdays')} label={texts.scale} description={texts.scaleHint} />
        )}
        {mode === 'perUser' && people.length === 0 && <p className="muted">{texts.noPeople}</p>}
        {mode === 'perUser' &&
          people.map(({ userId, username }) => (
            <TextInput
              key={userId}
              label={username}
              inputMode="decimal"
              value={of[userId] ?? ''}
              onChange={event => form.set('of', { ...of, [userId]: event.currentTarget.value })}
              error={complaint !== undefined && wrong(of[userId] ?? '') && complaint}
            />
          ))}
        <TextInput {...form.field('carryUntil')} label={texts.carryUntil} description={texts.carryHint} />
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
