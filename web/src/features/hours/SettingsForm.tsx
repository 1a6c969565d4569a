/** The company's rules. Sends only changes. */
import { texts as datedTexts } from '../../patterns/dated/texts'
import { Form } from '../../patterns/Form'
import { succeed } from '../../patterns/succeed'
import { useForm } from '../../patterns/useForm'
import { DayInput } from '../../ui/dates'
import { Checkbox, TextInput } from '../../ui/fields'
import { Select } from '../../ui/Select'
import { texts } from './texts'
import { type Settings, useSaveSettings } from './useHours'

/** The service's limits for each setting. */
const NUMBERS = {
  doubleTapSeconds: [0, 600],
  maxShiftHours: [8, 24],
  askAfterHours: [4, 24],
  sickNoteMonths: [1, 36],
  timesYears: [2, 10],
} as const
type Numbered = keyof typeof NUMBERS
const NUMBERED = Object.keys(NUMBERS) as Numbered[]
const TICKS = ['employeesMayDelete', 'clockShowsBalance'] as const
const BREAKS = ['statutory', 'none'] as const
const NO_REGION = 'none'

const ZONES = Intl.supportedValuesOf('timeZone').filter(zone => zone.startsWith('Europe/'))

const RULES = Object.fromEntries(
  NUMBERED.map(name => {
    const [least, most] = NUMBERS[name]
    const fits = (text: string) => /^\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most
    return [name, (text: string) => !fits(text) && texts.between(least, most)]
  }),
)

function typedOf(known: Settings) {
  const {
    validFrom: _,
    doubleTapSeconds,
    maxShiftHours,
    askAfterHours,
    sickNoteMonths,
    timesYears,
    ...rest
  } = known
  return {
    ...rest,
    holidayRegion: known.holidayRegion ?? NO_REGION,
    rulesFrom: known.rulesFrom ?? '',
    doubleTapSeconds: String(doubleTapSeconds),
    maxShiftHours: String(maxShiftHours),
    askAfterHours: String(askAfterHours),
    sickNoteMonths: String(sickNoteMonths),
    timesYears: String(timesYears),
    validFrom: '',
  }
}
type Typed = ReturnType<typeof typedOf>

function changeOf(known: Settings, { validFrom, ...typed }: Typed) {
  const values: Record<string, unknown> = {
    ...typed,
    holidayRegion: typed.holidayRegion === NO_REGION ? null : typed.holidayRegion,
    rulesFrom: typed.rulesFrom === '' ? null : typed.rulesFrom,
    ...Object.fromEntries(NUMBERED.map(name => [name, Number(typed[name])])),
  }
  const change = Object.entries(values).filter(([name, value]) => value !== known[name as keyof Settings])
  return change.length === 0
    ? null
    : { ...Object.fromEntries(change), ...(validFrom !== '' && { validFrom }) }
}

export function SettingsForm({ companyId, known }: { companyId: string; known: Settings }) {
  const { acting, question } = useSaveSettings(companyId)
  const form = useForm<Typed, NonNullable<ReturnType<typeof changeOf>>, object>({
    initial: typedOf(known),
    rules: RULES,
    acting,
    input: typed => changeOf(known, typed),
    onDone: () => succeed(texts.saved),
  })
  const zones = [...new Set([known.timeZone, ...ZONES])]
  return (
    <>
      <Form form={form} buttons={texts.saveSettings}>
        <Select {...form.field('timeZone')} label={texts.timeZone} data={zones} searchable />
        <Select
          {...form.field('breakPolicy')}
          label={texts.breakPolicy}
          data={BREAKS.map(value => ({ value, label: texts.breakPolicies[value] }))}
        />
        <Select
          {...form.field('holidayRegion')}
          label={texts.region}
          data={[
            { value: NO_REGION, label: texts.noRegion },
            ...Object.entries(texts.regions).map(([value, label]) => ({ value, label })),
          ]}
        />
        {NUMBERED.map(name => (
          <TextInput
            key={name}
            {...form.field(name)}
            label={texts[name]}
            inputMode="numeric"
            autoComplete="off"
          />
        ))}
        {TICKS.map(name => (
          <Checkbox key={name} {...form.tick(name)} label={texts[name]} />
        ))}
        {known.rulesFrom !== null && (
          <DayInput {...form.field('rulesFrom')} label={texts.rulesFrom} description={texts.rulesFromHint} />
        )}
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
