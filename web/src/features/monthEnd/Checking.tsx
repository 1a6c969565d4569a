/** The first step: findings grouped by their remedy, each with a link to it, or with the form itself. */
import type { ClipboardEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { PersonLink, useHas } from '../../entities/people/PersonLink'
import { usePeople } from '../../entities/people/usePeople'
import { Form } from '../../patterns/Form'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { numericDay } from '../../ui/dayText'
import { TextInput } from '../../ui/fields'
import { Buttons, CardList, Fold, Section } from '../../ui/layout'
import { Skeleton } from '../../ui/states'
import { EditMapping } from './EditMapping'
import { texts } from './texts'
import { type Finding, type Numbered, useNumbers, useNumbersNow } from './useMonthEnd'

const NUMBERS = ['no_personnel_number', 'personnel_number_range', 'duplicate_personnel_number']
const MAPPING = ['no_adviser_number', 'no_client_number', 'unmapped']
const TIMES = ['missing_end', 'missing_start', 'uncertain_time']
const WAITING = ['pending_correction', 'held_stamps']
const MAPPING_HINTS = ['unmapped_holiday', 'unmapped_absence']
const HINTS = [...MAPPING_HINTS, 'worked_on_leave', 'no_holiday_region', 'sick_over_42_days']

const LINE = { padding: '6px 0' }

/** Hints never block, whatever the file and the lock. */
export const isOpen = ({ code }: Finding) => !HINTS.includes(code)
export const isOfMapping = ({ code }: Finding) => MAPPING.includes(code) || MAPPING_HINTS.includes(code)
export const isOfTimes = ({ code }: Finding) => TIMES.includes(code)

export function Checking({ companyId, findings }: { companyId: string; findings: readonly Finding[] }) {
  const names = useNames(companyId)
  const absences = useHas('absences') ? 'absences' : 'today'
  const numbers = findings.filter(({ code }) => NUMBERS.includes(code))
  const mapping = findings.filter(({ code }) => MAPPING.includes(code))
  const group = (code: string, way?: ReactNode) => {
    const matching = findings.filter(finding => finding.code === code)
    if (matching.length === 0) return null
    return (
      <Section key={code} title={texts.codes[code] ?? code} count={matching.length} actions={way}>
        <CardList
          items={matching.map((finding, index) => ({ ...finding, place: index }))}
          keyOf={finding => `${finding.place}`}
          look="plain"
        >
          {({ userId, date }) => (
            <p style={LINE}>
              {userId !== null && <PersonLink userId={userId} username={names(userId)} />}
              {userId !== null && date !== null && ', '}
              {date !== null && <time dateTime={date}>{numericDay(date)}</time>}
            </p>
          )}
        </CardList>
      </Section>
    )
  }
  const review = <Link to="?tab=review">{texts.toReview}</Link>
  return (
    <>
      {findings.some(({ blocks }) => blocks) && <p className="muted">{texts.onlyPayroll}</p>}
      {WAITING.map(code =>
        group(
          code,
          code === 'held_stamps' ? review : <Link to={`?tab=${absences}`}>{texts.toCorrections}</Link>,
        ),
      )}
      {TIMES.map(code => group(code, review))}
      {numbers.length > 0 && <Numbers companyId={companyId} findings={numbers} names={names} />}
      {mapping.length > 0 && <Unmapped companyId={companyId} findings={mapping} />}
      {findings.some(finding => !isOpen(finding)) && (
        <Hints
          companyId={companyId}
          findings={findings.filter(finding => !isOpen(finding))}
          names={names}
          review={review}
          editable={mapping.length === 0}
        />
      )}
    </>
  )
}

interface HintsProps extends NumbersProps {
  review: ReactNode
  /** Whether the button for wage types is missing above. */
  editable: boolean
}

/** Findings that block no file, below those that do, with links. */
function Hints({ companyId, findings, names, review, editable }: HintsProps) {
  const hasSettings = useHas('hours_config')
  const has = (...codes: readonly string[]) => findings.some(({ code }) => codes.includes(code))
  return (
    <Section title={texts.hints} count={findings.length}>
      <p className="muted">{texts.hintsLead}</p>
      <CardList
        items={findings.map((finding, index) => ({ ...finding, place: index }))}
        keyOf={finding => `${finding.place}`}
        look="plain"
      >
        {({ userId, date, message }) => (
          <p style={LINE}>
            {userId !== null && <PersonLink userId={userId} username={names(userId)} />}
            {userId !== null && date !== null && ', '}
            {date !== null && <time dateTime={date}>{numericDay(date)}</time>}
            {(userId !== null || date !== null) && ': '}
            {message}
          </p>
        )}
      </CardList>
      <Buttons>
        {has('worked_on_leave') && review}
        {has('no_holiday_region') && hasSettings && <Link to="?tab=hours_config">{texts.toSettings}</Link>}
      </Buttons>
      {editable && has(...MAPPING_HINTS) && <EditMapping companyId={companyId} />}
    </Section>
  )
}

function useNames(companyId: string) {
  const { data = [] } = usePeople(companyId)
  return (userId: string) => data.find(({ id }) => id === userId)?.username ?? texts.somebody
}

interface NumbersProps {
  companyId: string
  findings: readonly Finding[]
  names: (userId: string) => string
}

/**
 * People with findings, including those deleted since, then the present people with a number. Everyone of the month
 * without a number has a finding.
 */
function Numbers({ companyId, findings, names }: NumbersProps) {
  const numbers = useNumbersNow(companyId)
  const rank = (userId: string) => NUMBERS.indexOf(codeOf(findings, userId) ?? '') + 1 || NUMBERS.length + 1
  return (
    <Section title={texts.numbers} count={findings.length}>
      <QueryView query={numbers} failed={texts.numbersFailed} skeleton={<Skeleton height={120} />}>
        {rows => {
          const idsHere = new Map(rows.map(row => [row.userId, row]))
          const missingIds = findings.flatMap(({ userId }) =>
            userId === null || idsHere.has(userId) ? [] : [userId],
          )
          const people = [
            ...missingIds.map(userId => ({
              userId,
              username: names(userId),
              personnelNumber: null,
              deleted: false,
            })),
            ...rows.filter(row => (row.personnelNumber && !row.deleted) || codeOf(findings, row.userId)),
          ].sort((a, b) => rank(a.userId) - rank(b.userId))
          return (
            <NumbersForm
              key={people.map(({ userId, personnelNumber }) => `${userId} ${personnelNumber}`).join()}
              companyId={companyId}
              findings={findings}
              people={people}
            />
          )
        }}
      </QueryView>
    </Section>
  )
}

const codeOf = (findings: readonly Finding[], userId: string) =>
  findings.find(finding => finding.userId === userId)?.code

interface NumbersFormProps {
  companyId: string
  findings: readonly Finding[]
  people: readonly Numbered[]
}

/** All people in one form: pasting a table's column fills the fields in order. Only changes are validated and sent. */
function NumbersForm({ companyId, findings, people }: NumbersFormProps) {
  const initial = Object.fromEntries(people.map(person => [person.userId, person.personnelNumber ?? '']))
  const form = useForm({
    initial: initial,
    rules: Object.fromEntries(
      people.map(({ userId }) => [
        userId,
        (typed: string, all: Record<string, string>) =>
          typed.trim() !== '' &&
          typed !== initial[userId] &&
          (!/^0*[1-9]\d{0,4}$/.test(typed.trim())
            ? texts.numberWrong
            : Object.values(all).filter(number => Number(number) === Number(typed)).length > 1 &&
              texts.numberTwice),
      ]),
    ),
    acting: useNumbers(companyId),
    input: typed => {
      const changes = Object.entries(typed).flatMap(([userId, number]) =>
        number === initial[userId] ? [] : [{ userId, personnelNumber: number.trim() || null }],
      )
      return changes.length === 0 ? null : changes
    },
    onDone: output => output && succeed(texts.saved),
  })
  /** Only visible fields: pasting must not fill those in a folded section. */
  const paste = (event: ClipboardEvent, those: readonly Numbered[]) => {
    const pasted = event.clipboardData.getData('text').split(/\r?\n/)
    if (pasted.length < 2) return
    event.preventDefault()
    those.forEach(({ userId }, index) => {
      const number = pasted[index]?.trim()
      if (number) form.set(userId, number)
    })
  }
  // The finding names only one of two people with the same number.
  const peopleWithFinding = people.filter(({ userId }) => codeOf(findings, userId) !== undefined)
  const theirs = new Set(peopleWithFinding.map(({ personnelNumber }) => Number(personnelNumber)))
  const wrong = people.filter(
    person => peopleWithFinding.includes(person) || theirs.has(Number(person.personnelNumber)),
  )
  const otherPeople = people.filter(person => !wrong.includes(person))
  const fieldsOf = (those: readonly Numbered[]) => (
    <div style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: '12px 16px' }}>
      {those.map(({ userId, username }, index) => (
        <TextInput
          key={userId}
          {...form.field(userId)}
          label={username}
          aria-label={texts.numberOf(username)}
          description={texts.codes[codeOf(findings, userId) ?? '']}
          inputMode="numeric"
          onPaste={event => paste(event, those.slice(index))}
          autoComplete="off"
          maxLength={20}
          w={{ base: '100%', sm: 240 }}
        />
      ))}
    </div>
  )
  return (
    <Form
      form={form}
      buttons={
        <Buttons>
          <Button type="submit" busy={form.busy}>
            {texts.saveNumbers}
          </Button>
        </Buttons>
      }
    >
      {wrong.length > 1 && <p className="muted">{texts.pasteHint}</p>}
      {fieldsOf(wrong)}
      {otherPeople.length > 0 && (
        <Fold line={texts.otherNumbers(otherPeople.length)}>{fieldsOf(otherPeople)}</Fold>
      )}
    </Form>
  )
}

function Unmapped({ companyId, findings }: { companyId: string; findings: readonly Finding[] }) {
  return (
    <Section title={texts.mapping} count={findings.length}>
      <CardList
        items={findings.map((finding, index) => ({ ...finding, place: index }))}
        keyOf={finding => `${finding.place}`}
        look="plain"
      >
        {({ message }) => <p style={LINE}>{message}</p>}
      </CardList>
      <EditMapping companyId={companyId} />
    </Section>
  )
}
