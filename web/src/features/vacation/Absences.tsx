/** Waiting absences, by report; ticked days are decided, initially all. */
import { useState } from 'react'
import { holdsSome } from '../../entities/absences/leftOut'
import { usePreview } from '../../entities/absences/preview'
import { reportsOf } from '../../entities/absences/reports'
import { type Action, DecideList } from '../../patterns/decide/DecideList'
import { QueryView } from '../../patterns/QueryView'
import { useGet } from '../../patterns/useGet'
import { longDay } from '../../ui/days'
import { Checkbox } from '../../ui/fields'
import { Facts } from '../../ui/layout'
import { SkeletonRows } from '../../ui/states'
import { ABSENCES, decideAbsence, LEAVE, LIVE, useReportAndInvalidate } from './calls'
import { Note } from './Note'
import { common, line, oldestFirst, type PartProps, PersonName } from './parts'
import classes from './parts.module.css'
import type { Leave, Report } from './rows'
import { Strip } from './Strip'
import { texts } from './texts'

export function Absences({ companyId, item }: PartProps) {
  const query = useGet(ABSENCES, { path: { companyId }, query: { status: 'open' } }, LIVE)
  const done = useReportAndInvalidate()
  /** The ids of the unticked days. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const keptDays = ({ days }: Report) => days.filter(({ id }) => !left.has(id))
  const decide =
    (yes: boolean, certified = false) =>
    async (report: Report, comment: string) => {
      const [first, ...others] = keptDays(report)
      if (first === undefined) return
      const wholeReport = others.length + 1 === report.days.length
      const which = wholeReport ? { wholeReport } : { wholeReport, days: others.map(({ id }) => id) }
      await decideAbsence(yes, first.id, { comment, certified, ...which })
      await done(yes ? texts.excused : texts.absenceDeclined)
    }
  const actions: readonly Action<Report>[] = [
    { key: 'a', label: texts.excuse, act: decide(true), tone: 'primary' },
    { key: 'd', label: texts.decline, act: decide(false), tone: 'danger' },
    { key: 'e', label: texts.excuseCertified, act: decide(true, true) },
  ]
  return (
    <QueryView query={query} failed={texts.absencesFailed} skeleton={<SkeletonRows height={72} />}>
      {absences => {
        const reports = oldestFirst(reportsOf(absences), ({ first }) => first)
        const led = reports.find(
          ({ id, userId, days }) => id === item || days.some(day => `${userId}/${day.date}` === item),
        )
        return (
          <DecideList
            {...common}
            label={texts.parts.absences}
            items={reports}
            keyOf={keyOf}
            first={led && keyOf(led)}
            nameOf={({ username, first, last }) => `${username}, ${texts.span(first, last)}`}
            row={({ username, first, last, days: [day] }) =>
              line(username, `${texts.absenceKinds[day.kind]}, ${texts.span(first, last)}`)
            }
            detail={report => (
              <Beside
                companyId={companyId}
                report={report}
                left={left}
                onLeave={(id, out) =>
                  setLeft(
                    previous =>
                      new Set(out ? [...previous, id] : [...previous].filter(leftId => leftId !== id)),
                  )
                }
              />
            )}
            actions={report => {
              if (keptDays(report).length === 0) return []
              return report.days[0].kind === 'sick' ? actions : actions.filter(({ key }) => key !== 'e')
            }}
          />
        )
      }}
    </QueryView>
  )
}

/** The rest of a partly decided report is another item to decide. */
const keyOf = ({ id, days }: Report) => `${id}/${days.length}`

interface BesideProps {
  companyId: string
  report: Report
  left: ReadonlySet<string>
  onLeave: (id: string, out: boolean) => void
}

function Beside({ companyId, report, left, onLeave }: BesideProps) {
  const { userId, username, first, last, days, messages } = report
  const [day] = days
  const noted = days.find(({ sickNotePath }) => sickNotePath !== null)
  const span = { kind: 'wish', startDate: first, endDate: last, startHalf: false, endHalf: false } as const
  const around = usePreview(userId, span)
  return (
    <>
      <PersonName userId={userId} username={username} />
      <Facts
        facts={[
          { term: texts.what, value: texts.absenceKinds[day.kind] },
          { term: texts.days, value: `${texts.span(first, last)} (${texts.daysOf(days.length)})` },
          day.reason !== null && { term: texts.reason, value: day.reason },
          messages.length > 0 && { term: texts.message, value: messages.join('\n') },
          noted !== undefined && { term: texts.note, value: <Note id={noted.id} /> },
          day.certified && { term: texts.note, value: texts.certified },
        ]}
      />
      {day.kind === 'sick' && <GivesBack companyId={companyId} report={report} />}
      {days.length > 1 && (
        <fieldset className={classes.days}>
          <legend>{texts.whichDays}</legend>
          {days.map(({ id, date }) => (
            <Checkbox
              key={id}
              label={longDay(date)}
              checked={!left.has(id)}
              onChange={event => onLeave(id, !event.currentTarget.checked)}
            />
          ))}
        </fieldset>
      )}
      {around.data !== undefined && <Strip days={around.data.around} first={first} last={last} />}
    </>
  )
}

/** Days of approved vacation that a sick note restores (§ 9 BUrlG). */
function GivesBack({ companyId, report: { userId, first, last } }: { companyId: string; report: Report }) {
  const query = { status: 'approved', from: first, to: last } as const
  const { data = [] } = useGet(LEAVE, { path: { companyId }, query }, LIVE)
  const ownLeave = data.filter(
    leave => leave.userId === userId && leave.kind === 'vacation' && holdsSome(leave, first, last),
  )
  return ownLeave.map(leave => <Returned key={leave.id} leave={leave} first={first} last={last} />)
}

function Returned({ leave, first, last }: { leave: Leave; first: string; last: string }) {
  const startDate = first > leave.startDate ? first : leave.startDate
  const endDate = last < leave.endDate ? last : leave.endDate
  const halves = {
    startHalf: leave.startHalf && startDate === leave.startDate,
    endHalf: leave.endHalf && endDate === leave.endDate,
  }
  const { data } = usePreview(leave.userId, { kind: 'vacation', startDate, endDate, ...halves }, leave.id)
  return data === undefined ? null : (
    <p>{texts.givesBack(data.days, texts.span(leave.startDate, leave.endDate))}</p>
  )
}
