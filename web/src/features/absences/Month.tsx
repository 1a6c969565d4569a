/** A month's sick reports and missed days, the latest first, with their actions. */
import { type ReactNode, useId } from 'react'
import { useUnsent } from '../../patterns/sending'
import { Unsent, UnsentItems } from '../../patterns/Unsent'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Calendar, Check, Clock, Close, Pencil, Thermometer, Trash, Upload } from '../../ui/icons'
import { MonthPicker } from '../../ui/MonthPicker'
import { currentMonth, monthName } from '../../ui/months'
import { EmptyState } from '../../ui/states'
import classes from './cards.module.css'
import { Note } from './Note'
import { Opener } from './Opener'
import { newSick, type Opening } from './opening'
import { sickOf } from './preview'
import { Quote } from './Requests'
import { type Absence, type Report, reportsOf } from './reports'
import { texts } from './texts'
import { isMessageTo, MESSAGE, SICK } from './useAbsences'

interface MonthProps {
  month: string
  onMonth: (month: string) => void
  /** The month's reports. */
  absences: readonly Absence[] | undefined
  open: (opening: Opening) => void
  /** Renders the list once it is loaded. */
  children: (list: (absences: readonly Absence[]) => ReactNode) => ReactNode
}

export function Month({ month, onMonth, absences = [], open, children }: MonthProps) {
  const id = useId()
  const idsHere = new Set(reportsOf(absences, month).flatMap(({ ids }) => [...ids]))
  const elsewhere = useUnsent(MESSAGE).filter(({ path }) => !isMessageTo(path, idsHere))
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.bar}>
        <h2 id={id} className={classes.heading}>
          {texts.absences}
        </h2>
        <MonthPicker month={month} onChange={onMonth} />
      </div>
      <Unsent
        kind={SICK}
        nameOf={body => {
          const { startDate, endDate } = sickOf(body)
          return texts.unsentSick(texts.span(startDate, endDate))
        }}
        onEdit={body => open({ what: 'sick', days: sickOf(body) })}
      />
      <UnsentItems items={elsewhere} nameOf={() => texts.unsentMessage}>
        {body => <p>{textOf(body)}</p>}
      </UnsentItems>
      {children(known => {
        const reports = reportsOf(known, month)
        if (reports.length === 0) return <NoAbsence month={month} onMonth={onMonth} open={open} />
        return (
          <ul className={classes.cards} aria-label={texts.absencesIn(monthName(month))}>
            {reports.map(report => (
              <li key={report.id} className={classes.card}>
                <ReportCard report={report} open={open} />
              </li>
            ))}
          </ul>
        )
      })}
    </section>
  )
}

function NoAbsence({ month, onMonth, open }: Pick<MonthProps, 'month' | 'onMonth' | 'open'>) {
  const present = currentMonth()
  return (
    <EmptyState
      picture={<Calendar size={40} strokeWidth={1.6} />}
      sentence={texts.none(monthName(month))}
      action={
        month === present ? (
          <Opener icon={<Thermometer size={18} />} onClick={() => open(newSick())}>
            {texts.reportSick}
          </Opener>
        ) : (
          <Button onClick={() => onMonth(present)}>{texts.toThisMonth}</Button>
        )
      }
    />
  )
}

const MARKS = {
  open: { tone: 'warn', icon: <Clock /> },
  excused: { tone: 'in', icon: <Check /> },
  declined: { tone: 'note', icon: <Close /> },
  cancelled: { tone: 'note', icon: <Close /> },
} as const

function Status({ status }: { status: Absence['status'] }) {
  const { tone, icon } = MARKS[status]
  return (
    <Badge tone={tone} icon={icon}>
      {texts.absenceStatuses[status]}
    </Badge>
  )
}

function ReportCard({ report, open }: { report: Report; open: (opening: Opening) => void }) {
  const { kind, reason, first, last, runs, certified, messages, comments, noted, day } = report
  const span = texts.span(first, last)
  const [only] = runs.length === 1 ? runs : []
  return (
    <>
      <div className={classes.top}>
        <h3 className={classes.name}>{reason ?? texts.absenceKinds[kind]}</h3>
        {only !== undefined && <Status status={only.status} />}
      </div>
      <p className={classes.span}>{span}</p>
      {only === undefined && (
        <ul className={classes.runs}>
          {runs.map(run => (
            <li key={run.first} className={classes.run}>
              {texts.span(run.first, run.last)}
              <Status status={run.status} />
            </li>
          ))}
        </ul>
      )}
      {kind === 'missing' && only?.status === 'open' && (
        <p className={classes.hint}>{texts.missingExplained}</p>
      )}
      {certified && <p className={classes.hint}>{texts.certified}</p>}
      {messages.map(message => (
        <Quote key={message} by={texts.yourMessage} words={message} />
      ))}
      {comments.map(comment => (
        <Quote key={comment} by={texts.commentSaid} words={comment} />
      ))}
      <Waiting report={report} open={open} />
      {day !== null && noted === null && (
        <div className={classes.acts}>
          <Acts report={report} day={day} span={span} open={open} />
        </div>
      )}
      {day !== null && noted !== null && (
        <Note id={noted.id} day={first} span={span}>
          <Acts report={report} day={day} span={span} open={open} />
        </Note>
      )}
    </>
  )
}

/** An unsent or refused message. */
function Waiting({ report, open }: { report: Report; open: (opening: Opening) => void }) {
  const items = useUnsent(MESSAGE).filter(({ path }) => isMessageTo(path, report.ids))
  const day = report.answerable
  return (
    <UnsentItems
      items={items}
      nameOf={() => texts.unsentMessage}
      {...(day !== null && {
        onEdit: (body: unknown) => open({ what: 'message', day, text: textOf(body) }),
      })}
    >
      {body => <p>{textOf(body)}</p>}
    </UnsentItems>
  )
}

const textOf = (body: unknown) => String((body as { message?: unknown } | null)?.message ?? '')

interface ActsProps {
  report: Report
  /** The absence that takes the note. */
  day: Absence
  span: string
  open: (opening: Opening) => void
}

function Acts({ report, day, span, open }: ActsProps) {
  const { kind, first, noted, answerable } = report
  const upload = noted === null ? texts.upload : texts.uploadAnew
  const userMessage = answerable?.userMessage ?? null
  const message = userMessage === null ? texts.message : texts.messageAnew
  return (
    <>
      {kind === 'missing' && answerable !== null && (
        <Opener
          look="plain"
          icon={<Thermometer size={18} />}
          aria-label={texts.actOf(texts.reportSick, span)}
          onClick={() => open(newSick(first))}
        >
          {texts.reportSick}
        </Opener>
      )}
      <Opener
        look="plain"
        icon={<Upload size={18} />}
        aria-label={texts.actOf(upload, span)}
        onClick={() => open({ what: 'upload', report, day })}
      >
        {upload}
      </Opener>
      {kind === 'sick' && report.open.length > 0 && (
        <Opener
          look="plain"
          icon={<Trash size={18} />}
          aria-label={texts.actOf(texts.withdraw, span)}
          onClick={() => open({ what: 'recover', report })}
        >
          {texts.withdraw}
        </Opener>
      )}
      {answerable !== null && (
        <Opener
          look="plain"
          icon={<Pencil size={18} />}
          aria-label={texts.actOf(message, span)}
          onClick={() => open({ what: 'message', day: answerable, text: userMessage ?? '' })}
        >
          {message}
        </Opener>
      )}
    </>
  )
}
