/** A person's employment data. Sends only changes. */
import { useRef } from 'react'
import { Refused } from '../../../api/failures'
import { asTyped, minutesFrom } from '../../../patterns/dated/hours'
import { texts as datedTexts } from '../../../patterns/dated/texts'
import { useDated } from '../../../patterns/dated/useDated'
import { useQuestion } from '../../../patterns/dated/useQuestion'
import { Form } from '../../../patterns/Form'
import { QueryView } from '../../../patterns/QueryView'
import { succeed } from '../../../patterns/succeed'
import { useForm } from '../../../patterns/useForm'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { DayInput } from '../../../ui/dates'
import { currentDay } from '../../../ui/days'
import dress from '../../../ui/dress.module.css'
import { Checkbox, TextInput } from '../../../ui/fields'
import { Leave } from '../../../ui/icons'
import { Buttons, Card } from '../../../ui/layout'
import { Select } from '../../../ui/Select'
import { Skeleton } from '../../../ui/states'
import { daysFrom, typedDays } from './days'
import { texts } from './texts'
import {
  type Change,
  type Employment,
  putEmployment,
  readsOf,
  useAllowance,
  useEmployment,
} from './useEmployment'

interface Plan {
  kind: string
  id: string
  date: string
}

const LIMITS = ['adult', 'youth', 'maternity'] as const
const PAY_TYPES = ['hourly', 'monthly'] as const
const PLANS_SHOWN = 12

export function EmploymentCard({ userId }: { userId: string }) {
  const employment = useEmployment(userId)
  const year = yearOfAccount(employment.data)
  const allowance = useAllowance(userId, year)
  return (
    <Card title={texts.employment} narrow>
      <QueryView query={employment} failed={texts.employmentFailed} skeleton={<Skeleton height={320} />}>
        {known =>
          allowance === undefined ? (
            <Skeleton height={320} />
          ) : (
            <EmploymentForm
              // The form restarts with the saved values.
              key={JSON.stringify(known)}
              userId={userId}
              known={known}
              allowance={allowance}
            />
          )
        }
      </QueryView>
    </Card>
  )
}

/** The year of the account's start, which the opening days refer to. */
const yearOfAccount = (known: Pick<Employment, 'accountFrom' | 'entryDate'> | undefined) =>
  (known?.accountFrom || known?.entryDate || currentDay()).slice(0, 4)

const typedOf = (known: Employment, allowance: number) => ({
  personnelNumber: known.personnelNumber ?? '',
  department: known.department ?? '',
  entryDate: known.entryDate ?? '',
  exitDate: known.exitDate ?? '',
  workdays: known.workdays,
  limits: known.limits as (typeof LIMITS)[number],
  payType: known.payType,
  accountFrom: known.accountFrom ?? '',
  opening: asTyped(known.openingBalanceMinutes),
  rest: typedDays(known.openingVacationDays + allowance),
  validFrom: '',
})
type Typed = ReturnType<typeof typedOf>

const RULES = {
  personnelNumber: (number: string) => !/^\d{0,20}$/.test(number.trim()) && texts.personnelNumberWrong,
  workdays: (days: number[]) => days.length === 0 && texts.workdaysMissing,
  opening: (text: string) => minutesFrom(text) === undefined && texts.durationWrong,
  rest: (text: string) => daysFrom(text) === undefined && texts.daysWrong,
}

/** Null without a change. `allowance`: of the year of the typed account's start. */
function changeOf(known: Employment, typed: Typed, allowance: number): Change | null {
  const { validFrom } = typed
  const typedValues: Omit<Employment, never> = {
    personnelNumber: typed.personnelNumber.trim() || null,
    department: typed.department.trim() || null,
    entryDate: typed.entryDate || null,
    exitDate: typed.exitDate || null,
    workdays: [...typed.workdays].sort(),
    limits: typed.limits,
    payType: typed.payType,
    accountFrom: typed.accountFrom || null,
    openingBalanceMinutes: minutesFrom(typed.opening) ?? 0,
    openingVacationDays: (daysFrom(typed.rest) ?? allowance) - allowance,
  }
  const change = Object.fromEntries(
    Object.entries(typedValues).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name as keyof Employment]),
    ),
  )
  return Object.keys(change).length === 0 ? null : { ...change, ...(validFrom !== '' && { validFrom }) }
}

const plansIn = (error: unknown) =>
  error instanceof Refused && error.code === 'plans_after_exit'
    ? (error.body as { plans: readonly Plan[] }).plans
    : null

/** Saves it; if plans exist after an exit, asks to end them as well. */
function useSaving(userId: string) {
  const plans = useQuestion<readonly Plan[]>()
  const agreed = useRef(false)
  const call = putEmployment(userId)
  const put = async (body: Change, dryRun: boolean) => {
    if (dryRun) agreed.current = false
    const sendWhole = () => call({ ...body, ...(agreed.current && { endPlans: true }) }, dryRun)
    try {
      return await sendWhole()
    } catch (error) {
      const behind = plansIn(error)
      agreed.current = behind !== null && (await plans.ask(behind))
      if (!agreed.current) throw error
      return await sendWhole()
    }
  }
  return { plans, ...useDated(put, texts.saveFailed, readsOf(userId)) }
}

interface EmploymentFormProps {
  userId: string
  known: Employment
  allowance: number
}

function EmploymentForm({ userId, known, allowance }: EmploymentFormProps) {
  const { acting, question, plans } = useSaving(userId)
  const yearly = useRef(allowance)
  const form = useForm<Typed, Change, object>({
    initial: typedOf(known, allowance),
    rules: RULES,
    acting,
    input: typed => changeOf(known, typed, yearly.current),
    onDone: saved => {
      if (saved !== null) succeed(datedTexts.saved)
    },
  })
  const { values } = form
  const begin = values.accountFrom || values.entryDate
  yearly.current = useAllowance(userId, yearOfAccount(values)) ?? allowance
  const restDays = daysFrom(values.rest)
  return (
    <>
      <Form form={form} buttons={texts.save}>
        <TextInput {...form.field('personnelNumber')} label={texts.personnelNumber} inputMode="numeric" />
        <TextInput {...form.field('department')} label={texts.department} maxLength={100} />
        <DayInput {...form.field('entryDate')} label={texts.entryDate} />
        <DayInput {...form.field('exitDate')} label={texts.exitDate} description={texts.exitHint} />
        <Workdays
          days={values.workdays}
          error={form.field('workdays').error}
          onChange={days => form.set('workdays', days)}
        />
        <Select
          {...form.field('limits')}
          label={texts.limits}
          data={LIMITS.map(value => ({ value, label: texts.limitsOf[value] }))}
        />
        <Select
          {...form.field('payType')}
          label={texts.payType}
          description={texts.payTypeHint}
          data={PAY_TYPES.map(value => ({ value, label: texts.payTypes[value] }))}
        />
        <DayInput
          {...form.field('validFrom')}
          label={datedTexts.validFrom}
          description={texts.validFromHint}
        />
        <DayInput
          {...form.field('accountFrom')}
          label={texts.accountFrom}
          description={texts.accountFromHint}
        />
        <TextInput
          {...form.field('opening')}
          label={texts.openingBalance}
          description={texts.openingHint}
          autoComplete="off"
        />
        <TextInput
          {...form.field('rest')}
          label={begin === '' ? texts.restBegin : texts.rest(begin)}
          description={texts.restHint(yearly.current, (restDays ?? yearly.current) - yearly.current)}
          inputMode="decimal"
          autoComplete="off"
        />
      </Form>
      {question}
      {plans.asked && <EndPlans plans={plans.asked} onAnswer={plans.answer} />}
    </>
  )
}

interface WorkdaysProps {
  days: readonly number[]
  error: string | undefined
  onChange: (days: number[]) => void
}

function Workdays({ days, error, onChange }: WorkdaysProps) {
  return (
    <fieldset style={{ margin: 0, padding: 0, border: 0 }}>
      <legend className={dress.label}>{texts.workdays}</legend>
      <Buttons>
        {texts.weekdays.map((name, day) => (
          <Checkbox
            key={name}
            label={name}
            checked={days.includes(day)}
            error={error !== undefined && day === 0 && error}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...days, day] : days.filter(other => other !== day))
            }
          />
        ))}
      </Buttons>
    </fieldset>
  )
}

function EndPlans({ plans, onAnswer }: { plans: readonly Plan[]; onAnswer: (yes: boolean) => void }) {
  const planNames = plans
    .slice(0, PLANS_SHOWN)
    .map(({ kind, date }) => texts.plan(texts.plans[kind] ?? kind, date))
  return (
    <ConfirmDialog
      title={texts.plansQuestion}
      consequences={
        plans.length > PLANS_SHOWN ? [...planNames, texts.morePlans(plans.length - PLANS_SHOWN)] : planNames
      }
      confirm={texts.endPlans}
      danger={<Leave size={18} />}
      onConfirm={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
    >
      <p>{texts.plansLead}</p>
    </ConfirmDialog>
  )
}
