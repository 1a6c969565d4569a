/**
 * "Urlaub und Jahresende": all people's vacation of a year, notices of expiring days, company holidays, and the policy.
 */
import { useState } from 'react'
import { PersonLink } from '../../entities/people/PersonLink'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { type Column, DataTable } from '../../patterns/table/DataTable'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { dayOf } from '../../ui/days'
import { numericDay } from '../../ui/dayText'
import { Alert, Inbox } from '../../ui/icons'
import { Buttons, Card, Facts, Section } from '../../ui/layout'
import { currentMonth, yearOf } from '../../ui/months'
import { EmptyState, Skeleton, SkeletonRows } from '../../ui/states'
import { YearSteps } from '../../ui/YearSteps'
import type { PageProps } from '../feature'
import { Closures } from './Closures'
import { PolicyForm } from './PolicyForm'
import { texts } from './texts'
import { type Person, useClosures, usePolicy, useSendNotices, useYear } from './useYear'
import { isToBeTold, lastDayToTell, previewOf } from './year'

export function YearPage({ session: { companyId } }: PageProps) {
  const [year, setYear] = useState(() => yearOf(currentMonth()))
  const people = useYear(companyId, year)
  const closures = useClosures(companyId)
  const policy = usePolicy(companyId)
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={<YearSteps year={year} label={texts.otherYear} onYear={setYear} />}
    >
      <QueryView query={people} failed={texts.yearFailed} skeleton={<SkeletonRows rows={6} />}>
        {rows => <Year companyId={companyId} year={year} people={rows} />}
      </QueryView>
      <Card title={texts.closures} lead={texts.closuresLead}>
        <QueryView query={closures} failed={texts.closuresFailed} skeleton={<Skeleton height={120} />}>
          {rows => <Closures companyId={companyId} closures={rows} people={people.data ?? []} />}
        </QueryView>
      </Card>
      <Card title={texts.policy} lead={texts.zero} narrow>
        <QueryView query={policy} failed={texts.policyFailed} skeleton={<Skeleton height={220} />}>
          {known =>
            people.data === undefined && people.error === null ? (
              <Skeleton height={220} />
            ) : (
              <PolicyForm
                key={JSON.stringify(known)}
                companyId={companyId}
                known={known}
                people={people.data ?? []}
              />
            )
          }
        </QueryView>
      </Card>
    </Page>
  )
}

interface YearProps {
  companyId: string
  year: number
  people: readonly Person[]
}

function Year({ companyId, year, people }: YearProps) {
  const [sending, setSending] = useState<readonly Person[] | null>(null)
  const acting = useSendNotices(companyId)
  const isEarly = year > yearOf(currentMonth())
  const { carries, lapses, until, ...found } = previewOf(people)
  const toTell = isEarly ? 0 : found.toTell
  return (
    <>
      <Card
        title={texts.preview(year)}
        lead={until === null ? texts.whyNot : isEarly ? texts.early : texts.why(lastDayToTell(until))}
        narrow
      >
        <Facts
          sums
          facts={[
            { term: texts.carries, value: texts.daysOf(carries) },
            until !== null && { term: texts.lapses(until), value: texts.daysOf(lapses) },
            until !== null && { term: texts.toTell, value: texts.people(toTell) },
          ]}
        />
        {toTell > 0 && (
          <Buttons>
            <Button
              look="primary"
              icon={<Inbox size={18} />}
              onClick={() => setSending(people.filter(isToBeTold))}
            >
              {texts.send(toTell)}
            </Button>
          </Buttons>
        )}
      </Card>
      <Section title={texts.year(year)}>
        <DataTable
          caption={texts.year(year)}
          rows={people}
          columns={COLUMNS}
          keyOf={({ userId }) => userId}
          sortedBy="name"
          search={{
            label: texts.search,
            matches: (person, words) => person.username.toLowerCase().includes(words.toLowerCase()),
            nothing: texts.nothingFound,
          }}
          {...(toTell > 0 && {
            many: {
              label: texts.sendToChosen,
              icon: <Inbox size={18} />,
              act: setSending,
              can: isToBeTold,
            },
          })}
          csv={texts.year(year)}
          empty={<EmptyState sentence={texts.nobody} />}
        />
      </Section>
      {sending !== null && (
        <ConfirmDialog
          title={texts.sendQuestion(sending.length)}
          consequences={texts.sendConsequences}
          confirm={texts.send(sending.length)}
          acting={acting}
          input={{ year, userIds: sending.map(({ userId }) => userId) }}
          done={({ sent }) => succeed(texts.wereSent(sent))}
          onClose={() => setSending(null)}
        />
      )}
    </>
  )
}

const figure = (key: string, head: string, of: (person: Person) => number): Column<Person> => ({
  key,
  head,
  align: 'end',
  sortBy: of,
  cell: person => texts.number(of(person)),
  sum: rows => texts.number(rows.reduce((total, person) => total + of(person), 0)),
})

const COLUMNS: Column<Person>[] = [
  {
    key: 'name',
    head: texts.name,
    names: true,
    sortBy: ({ username }) => username,
    cell: ({ userId, username }) => <PersonLink userId={userId} username={username} />,
  },
  figure('allowance', texts.allowance, ({ allowance }) => allowance),
  figure('carried', texts.carried, ({ carried }) => carried),
  figure('taken', texts.taken, ({ taken }) => taken),
  figure('planned', texts.planned, ({ planned }) => planned),
  figure('left', texts.left, ({ days }) => days),
  {
    key: 'until',
    head: texts.until,
    sortBy: ({ until }) => until ?? '',
    cell: ({ until }) => (until === null ? '–' : <time dateTime={until}>{numericDay(until)}</time>),
  },
  {
    key: 'notice',
    head: texts.notice,
    sortBy: ({ readAt, sentAt }) => readAt ?? sentAt ?? '',
    text: person => wordsOf(person),
    cell: person => <NoticeText person={person} />,
  },
]

function wordsOf({ sentAt, readAt, days, until }: Person): string {
  if (sentAt === null) return days > 0 && until !== null ? texts.notSent : '–'
  const day = (instant: string) => numericDay(dayOf(new Date(instant)))
  return readAt === null ? texts.sent(day(sentAt)) : texts.read(day(readAt))
}

function NoticeText({ person }: { person: Person }) {
  const words = wordsOf(person)
  if (person.sentAt === null) return <span className="muted">{words}</span>
  if (isToBeTold(person)) {
    return (
      <Badge tone="warn" icon={<Alert size={16} />}>
        {texts.grown(person.noticeDays ?? 0)}
      </Badge>
    )
  }
  return words
}
