/** An entry's details for a decision: its day as a line of 24 hours, its findings, and the actions. */
import { useCallback, useState } from 'react'
import { shownFlag } from '../../../entities/entries/flags'
import { PersonLink, useHas } from '../../../entities/people/PersonLink'
import { fetched } from '../../../patterns/fetched'
import { QueryView } from '../../../patterns/QueryView'
import { succeed } from '../../../patterns/succeed'
import { useGet } from '../../../patterns/useGet'
import { Button } from '../../../ui/Button'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { addDays, dayOf, daysFrom, longDay, timeOf } from '../../../ui/days'
import { minuteOfDay, span } from '../../../ui/durations'
import { Inbox, Pencil, Trash } from '../../../ui/icons'
import { Buttons, Facts } from '../../../ui/layout'
import { ErrorNotice } from '../../../ui/Notice'
import { now } from '../../../ui/now'
import { SkeletonRows } from '../../../ui/states'
import { draftOf } from '../corrections/draft'
import { Duration, Source, Span } from '../entryParts'
import type { TimeEntry } from '../sheet'
import { DAY_MINUTES, limitsOf, lineOf } from './line'
import classes from './Review.module.css'
import { texts } from './texts'
import { CHANGES, type Outcome, type Reviewed, useRemind, useRemove } from './useReview'

const CorrectionDialog = fetched(
  async () => (await import('../corrections/CorrectionDialog')).CorrectionDialog,
  null,
)

/** The modules for administrators' corrections and deletions, and for duties. */
const CORRECTIONS = 'absences'
const DUTIES = 'schedule'
const NO_DAYS: ReadonlySet<string> = new Set()

interface DayProps {
  companyId: string
  row: Reviewed
  /** Whether the page is read-only. */
  readOnly: boolean
  onSettled: (outcome: Outcome) => void
}

export function Day({ companyId, row, readOnly, onSettled }: DayProps) {
  const { userId, date, entryId } = row
  const times = useGet(
    '/api/users/{userId}/times',
    { path: { userId }, query: { from: addDays(date, -1), to: addDays(date, 1) } },
    { live: CHANGES },
  )
  return (
    <>
      <div>
        <h2 className={classes.name}>
          <PersonLink userId={userId} username={row.username} />
        </h2>
        <p className="muted">{longDay(date)}</p>
      </div>
      <QueryView query={times} failed={texts.dayFailed} skeleton={<SkeletonRows rows={2} />}>
        {entries => {
          const entry = entries.find(({ id }) => id === entryId)
          return (
            <>
              <DayLine companyId={companyId} row={row} entries={entries} />
              {entry === undefined && <p className="muted">{texts.changed}</p>}
              <Facts
                facts={row.flags.map(flag => ({
                  term: shownFlag(flag).label,
                  value: flag === 'worked_on_leave' ? texts.workedOnLeave : shownFlag(flag).explanation,
                }))}
              />
              {!readOnly && entry !== undefined && (
                <Acts companyId={companyId} row={row} entry={entry} onSettled={onSettled} />
              )}
            </>
          )
        }}
      </QueryView>
    </>
  )
}

interface DayLineProps {
  companyId: string
  row: Reviewed
  entries: readonly TimeEntry[]
}

/** The picture is for sighted users; the list below has the same content. */
function DayLine({ companyId, row, entries }: DayLineProps) {
  const { date, userId, entryId } = row
  const present = now()
  const line = lineOf(
    entries,
    date,
    entryId,
    daysFrom(date, dayOf(present)) * DAY_MINUTES + minuteOfDay(timeOf(present)),
  )
  const limits =
    row.limits == null ? [] : limitsOf(entries, date, { ...row, limits: row.limits }, line.begins)
  const duties = useDuties(companyId, userId, date)
  const ofDay = entries.filter(entry => entry.date === date || entry.id === entryId)
  return (
    <div>
      <div className={classes.line} aria-hidden="true">
        <div className={classes.track}>
          {line.pieces.map(({ entry, left, width, lacks }) => (
            <span
              key={entry.id}
              className={classes.piece}
              data-lacks={lacks ?? undefined}
              data-meant={entry.id === entryId || undefined}
              style={{ left: `${left}%`, width: `${width}%` }}
            />
          ))}
          {limits.map(limit => (
            <span
              key={`${limit.kind} ${limit.minutes}`}
              className={classes.limit}
              data-limit={limit.kind}
              style={{ left: `${limit.left}%`, width: limit.kind === 'rest' ? `${limit.width}%` : undefined }}
            />
          ))}
        </div>
        <div className={classes.hours}>
          {[0, 6, 12, 18, 24].map(hours => (
            <span key={hours}>{(line.begins / 60 + hours) % 24 || (hours === 0 ? 0 : 24)}</span>
          ))}
        </div>
      </div>
      {limits.map(limit => (
        <p key={`${limit.kind} ${limit.minutes}`} className={classes.limitWords} data-limit={limit.kind}>
          {texts.limit(limit)}
        </p>
      ))}
      {duties.map(duty => (
        <p key={duty.id} className={classes.duty}>
          {texts.duty(duty.start === null || duty.end === null ? texts.wholeDay : span(duty.start, duty.end))}
        </p>
      ))}
      <ul className={classes.entries} aria-label={texts.stamps}>
        {ofDay.map(entry => (
          <li key={entry.id} data-meant={entry.id === entryId || undefined}>
            <Span entry={entry} day={date} />
            <Duration minutes={entry.workedMinutesNet} />
            <Source entry={entry} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function useDuties(companyId: string, userId: string, date: string) {
  const planned = useHas(DUTIES)
  const { data = [] } = useGet(
    '/api/companies/{companyId}/schedule',
    planned ? { path: { companyId }, query: { from: date, to: date } } : null,
  )
  return data.filter(duty => duty.userId === userId)
}

interface ActsProps extends Omit<DayProps, 'readOnly'> {
  entry: TimeEntry
}

function Acts({ companyId, row, entry, onSettled }: ActsProps) {
  const [open, setOpen] = useState<'correct' | 'remove' | null>(null)
  const corrects = useHas(CORRECTIONS)
  const reminding = useRemind(companyId, row.entryId)
  const removing = useRemove(row.entryId)
  // Stable, since the dialog depends on it.
  const close = useCallback(() => setOpen(null), [])
  const remind = async () => {
    if ((await reminding.run(undefined)) !== null) succeed(texts.reminded(row.username))
  }
  return (
    <>
      <Buttons>
        {corrects && (
          <Button
            icon={<Pencil size={18} />}
            onPointerEnter={CorrectionDialog.prepare}
            onFocus={CorrectionDialog.prepare}
            onClick={() => setOpen('correct')}
          >
            {texts.correct}
          </Button>
        )}
        <Button icon={<Inbox size={18} />} busy={reminding.busy} onClick={remind}>
          {texts.remind}
        </Button>
        {corrects && !entry.running && (
          <Button icon={<Trash size={18} />} onClick={() => setOpen('remove')}>
            {texts.remove}
          </Button>
        )}
      </Buttons>
      <ErrorNotice failure={reminding.failure} />
      {open === 'correct' && (
        <CorrectionDialog
          userId={row.userId}
          draft={draftOf(entry)}
          open={NO_DAYS}
          words={{ title: texts.correcting.title(row.username), lead: texts.correcting.lead }}
          onSent={() => {
            succeed(texts.corrected)
            onSettled('corrected')
          }}
          onClose={close}
        />
      )}
      {open === 'remove' && (
        <ConfirmDialog
          title={texts.removeTitle(row.username)}
          consequences={texts.removeConsequences}
          confirm={texts.removeConfirm}
          danger={<Trash size={18} />}
          acting={removing}
          done={() => {
            succeed(texts.removed)
            onSettled('removed')
          }}
          onClose={close}
        >
          <p>
            {longDay(row.date)}
            {', '}
            <Span entry={entry} day={row.date} />
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
