/** The mode, with its rates or wages. Sends only changes; the service refuses invalid amounts. */
import { useState } from 'react'
import type { User } from '../../entities/people/people'
import { Form } from '../../patterns/Form'
import { succeed } from '../../patterns/succeed'
import { useForm } from '../../patterns/useForm'
import { byAlphabet } from '../../ui/alphabet'
import { Button } from '../../ui/Button'
import { DayInput } from '../../ui/dates'
import { TextInput } from '../../ui/fields'
import { Buttons } from '../../ui/layout'
import { Select } from '../../ui/Select'
import { asTyped, centsFrom, sentOf } from './money'
import { texts } from './texts'
import { type Config, type Mode, useSave } from './useCosts'

const MODES = ['uniform', 'department', 'perUserHourly', 'perUserMonthly'] as const
const SHOWN_MS = 2_400
const NO_DEPARTMENT = ''

/** Each mode's inputs, in addition to the common rate. */
const MAPS = {
  department: 'departmentRates',
  perUserHourly: 'userHourlyCents',
  perUserMonthly: 'userMonthlyCents',
} as const
type MapName = (typeof MAPS)[keyof typeof MAPS]

type Typed = {
  mode: Mode
  defaultHourlyCents: string
  validFrom: string
  userDepartments: Record<string, string>
} & Record<MapName, Record<string, string>>

const typedMap = (cents: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(cents).map(([key, one]) => [key, asTyped(one)]))

function typedOf(known: Config): Typed {
  return {
    mode: known.mode,
    defaultHourlyCents: asTyped(known.defaultHourlyCents),
    validFrom: '',
    departmentRates: typedMap(known.departmentRates),
    userHourlyCents: typedMap(known.userHourlyCents),
    userMonthlyCents: typedMap(known.userMonthlyCents),
    userDepartments: Object.fromEntries(
      Object.entries(known.userDepartments).map(([id, name]) => [id, name ?? NO_DEPARTMENT]),
    ),
  }
}

/** The changed values; null without a change. */
function changeOf(known: Config, { validFrom, ...typed }: Typed) {
  const initial = typedOf(known)
  const changes: Record<string, unknown> = {}
  if (typed.mode !== known.mode) changes.mode = typed.mode
  if (typed.defaultHourlyCents !== initial.defaultHourlyCents)
    changes.defaultHourlyCents = sentOf(typed.defaultHourlyCents)
  for (const name of Object.values(MAPS)) {
    const differs = Object.entries(typed[name]).some(([key, text]) => text !== (initial[name][key] ?? ''))
    if (differs) {
      const sent = Object.entries(typed[name]).map(([key, text]) => [key, sentOf(text)])
      changes[name] = Object.fromEntries(sent.filter(([, value]) => value !== null))
    }
  }
  const moved = Object.entries(typed.userDepartments).filter(
    ([id, name]) => name !== initial.userDepartments[id],
  )
  if (moved.length > 0)
    changes.userDepartments = Object.fromEntries(
      moved.map(([id, name]) => [id, name === NO_DEPARTMENT ? null : name]),
    )
  return Object.keys(changes).length === 0 ? null : { ...changes, ...(validFrom !== '' && { validFrom }) }
}

interface ConfigFormProps {
  companyId: string
  known: Config
  people: readonly User[]
}

export function ConfigForm({ companyId, known, people }: ConfigFormProps) {
  const [assigning, assign] = useState(false)
  const { acting, question } = useSave(companyId)
  const form = useForm<Typed, object, object>({
    initial: typedOf(known),
    acting,
    input: typed => changeOf(known, typed),
    onDone: () => succeed(texts.saved, SHOWN_MS),
  })
  const { mode, userDepartments } = form.values
  const departments = [...new Set([...Object.keys(known.departmentRates), ...Object.values(userDepartments)])]
    .filter(name => name !== NO_DEPARTMENT)
    .sort(byAlphabet)
  /** A field of one of the maps, whose keys are arbitrary. */
  const money = (name: MapName, key: string, label: string) => {
    const text = form.values[name][key] ?? ''
    const complaint = form.field(name).error
    return (
      <MoneyInput
        key={key}
        label={label}
        value={text}
        onChange={typed => form.set(name, { ...form.values[name], [key]: typed } as never)}
        error={complaint !== undefined && centsFrom(text) === undefined && complaint}
      />
    )
  }
  const { onChange, ...byDefault } = form.field('defaultHourlyCents')
  return (
    <>
      <Form form={form} buttons={texts.save}>
        <Select<Mode>
          {...form.field('mode')}
          label={texts.mode}
          data={MODES.map(value => ({ value, label: texts.modes[value] }))}
        />
        <MoneyInput {...byDefault} onChange={onChange} label={texts.default} hint={texts.example(known)} />
        {mode === 'department' && (
          <>
            {departments.length === 0 && <p className="muted">{texts.noDepartments}</p>}
            {departments.map(name => money('departmentRates', name, texts.rateOf(name)))}
            {departments.length > 0 && !assigning && (
              <Buttons>
                <Button onClick={() => assign(true)}>{texts.assign}</Button>
              </Buttons>
            )}
            {assigning &&
              people.map(({ id, username }) => (
                <Select
                  key={id}
                  label={texts.departmentOf(username)}
                  value={userDepartments[id] ?? NO_DEPARTMENT}
                  onChange={name => form.set('userDepartments', { ...userDepartments, [id]: name })}
                  data={[
                    { value: NO_DEPARTMENT, label: texts.noDepartment },
                    ...departments.map(value => ({ value, label: value })),
                  ]}
                />
              ))}
          </>
        )}
        {mode !== 'uniform' && mode !== 'department' && people.length === 0 && (
          <p className="muted">{texts.noPeople}</p>
        )}
        {mode === 'perUserHourly' &&
          people.map(({ id, username }) => money('userHourlyCents', id, texts.rateOf(username)))}
        {mode === 'perUserMonthly' &&
          people.map(({ id, username }) => money('userMonthlyCents', id, texts.wageOf(username)))}
        <DayInput {...form.field('validFrom')} label={texts.validFrom} description={texts.validFromHint} />
      </Form>
      {question}
    </>
  )
}

interface MoneyInputProps {
  name?: string
  label: string
  value: string
  onChange: (text: string) => void
  error?: string | false | undefined
  hint?: string
}

/** The input keeps its text; a hint explains that invalid amounts count as 0, until the service refuses one. */
function MoneyInput({ onChange, hint = '', value, error, ...rest }: MoneyInputProps) {
  const wrong = centsFrom(value) === undefined
  return (
    <TextInput
      {...rest}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
      inputMode="decimal"
      autoComplete="off"
      description={wrong && !error ? texts.readsAs(0) : hint || undefined}
      error={wrong && error ? texts.noMoney : error}
    />
  )
}
