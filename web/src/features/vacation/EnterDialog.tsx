/** An administrator enters leave, illness or another absence for a person, including themselves. */
import { api, dataOf } from '../../api/client'
import { groupsOf } from '../../entities/people/people'
import { usePeople } from '../../entities/people/usePeople'
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import { useAct } from '../../patterns/useAct'
import { filled, useForm } from '../../patterns/useForm'
import { Checkbox, TextInput } from '../../ui/fields'
import { Select } from '../../ui/Select'
import { useInvalidateDecisions } from './calls'
import { useOverAllowance } from './overAllowance'
import { ComesTo, SPAN_RULES, SpanFields } from './SpanFields'
import { texts } from './texts'

const KINDS = ['vacation', 'wish', 'sick', 'special'] as const
type Kind = (typeof KINDS)[number]
/** Unpaid by default. */
const UNPAID: readonly string[] = ['unbezahlt', 'Elternzeit']
const OWN_WORDS = 'own'

const EMPTY = {
  userId: '',
  kind: 'vacation' as Kind,
  startDate: '',
  endDate: '',
  startHalf: false,
  endHalf: false,
  why: 'Berufsschule',
  reason: '',
  credited: true,
  overAllowance: false,
}
type Values = typeof EMPTY

const reasonOf = ({ why, reason }: Values) => (why === OWN_WORDS ? reason.trim() : why)

async function enter(values: Values) {
  const { userId, kind, startDate, endDate, startHalf, endHalf, overAllowance, credited } = values
  if (kind === 'vacation' || kind === 'wish') {
    const body = { userId, kind, startDate, endDate, startHalf, endHalf, overAllowance }
    return dataOf(await api.POST('/api/vacation-requests', { body }))
  }
  const special = { kind, reason: reasonOf(values), credited } as const
  const body = { userId, startDate, endDate, ...(kind === 'special' ? special : { kind }) }
  return dataOf(await api.POST('/api/absences', { body }))
}

export function EnterDialog({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const people = usePeople(companyId)
  const invalidate = useInvalidateDecisions()
  const over = useOverAllowance()
  const form = useForm({
    initial: EMPTY,
    rules: {
      ...SPAN_RULES,
      userId: filled(texts.choosePerson),
      reason: (_: string, all: Values) => all.kind === 'special' && reasonOf(all) === '' && texts.sayWhy,
    },
    acting: useAct(
      (values: Values): Promise<object> => over.watched(() => enter(values)).finally(invalidate),
      texts.enterFailed,
    ),
    input: values => values,
    onDone: (_, { kind }) => {
      succeed(texts.entered[kind])
      onClose()
    },
  })
  const { userId, kind, why } = form.values
  const { companyAdmins, employees } = groupsOf(people.data ?? [])
  const persons = [...employees, ...companyAdmins]
  const isLeave = kind === 'vacation' || kind === 'wish'
  return (
    <FormDialog title={texts.enter} form={form} submit={texts.enterNow} onClose={onClose}>
      <Select
        {...form.field('userId')}
        label={texts.who}
        data={persons.map(({ id, username }) => ({ value: id, label: username }))}
        searchable
        nothingFoundMessage={texts.nobodyFound}
        disabled={people.data === undefined}
      />
      <Select
        {...form.field('kind')}
        label={texts.what}
        data={KINDS.map(value => ({ value, label: texts.enterKinds[value] }))}
      />
      <SpanFields form={form} halves={isLeave} />
      {kind === 'special' && (
        <>
          <Select
            {...form.field('why')}
            label={texts.reason}
            data={[...texts.reasons, { value: OWN_WORDS, label: texts.otherReason }]}
            onChange={(value: string) => {
              form.set('why', value)
              form.set('credited', !UNPAID.includes(value))
            }}
          />
          {why === OWN_WORDS && (
            <TextInput {...form.field('reason')} label={texts.ownWords} maxLength={2_000} />
          )}
          <Checkbox {...form.tick('credited')} label={texts.credited} />
        </>
      )}
      {isLeave && (
        <ComesTo
          userId={userId}
          username={persons.find(({ id }) => id === userId)?.username ?? ''}
          kind={kind}
          span={form.values}
        />
      )}
      {over.asked && kind === 'vacation' && (
        <Checkbox {...form.tick('overAllowance')} label={texts.overAnyway} />
      )}
      <p className="muted">{texts.atOnce[kind]}</p>
    </FormDialog>
  )
}
