/** Waiting time corrections: present and requested times, as two bars on one scale, with editable times. */
import { useEffect, useState } from 'react'
import { type Action, DecideList } from '../../patterns/decide/DecideList'
import { QueryView } from '../../patterns/QueryView'
import { useGet } from '../../patterns/useGet'
import { longDay } from '../../ui/days'
import { Facts } from '../../ui/layout'
import { Notice } from '../../ui/Notice'
import { Skeleton, SkeletonRows } from '../../ui/states'
import { TimeInput } from '../../ui/times'
import { approveCorrection, CORRECTIONS, declineCorrection, LIVE, useReportAndInvalidate } from './calls'
import { DayBars } from './DayBars'
import { common, line, oldestFirst, type PartProps, PersonName } from './parts'
import type { Correction } from './rows'
import { texts } from './texts'

interface Times {
  start: string
  end: string
}

export function Corrections({ companyId, item }: PartProps) {
  const query = useGet(CORRECTIONS, { path: { companyId }, query: { status: 'pending' } }, LIVE)
  const done = useReportAndInvalidate()
  /** The times as the administrator has changed them, by request. */
  const [changed, setChanged] = useState<Readonly<Record<string, Times>>>({})
  const timesOf = ({ id, newStart, newEnd }: Correction): Times =>
    changed[id] ?? { start: newStart ?? '', end: newEnd ?? '' }
  const yes: Action<Correction> = {
    key: 'a',
    label: texts.approve,
    tone: 'primary',
    act: async (correction, comment) => {
      const { start, end } = timesOf(correction)
      await approveCorrection(correction.id, start, end, comment)
      await done(texts.corrected)
    },
  }
  const no: Action<Correction> = {
    key: 'd',
    label: texts.decline,
    tone: 'danger',
    act: async ({ id }, comment) => {
      await declineCorrection(id, comment)
      await done(texts.correctionDeclined)
    },
  }
  return (
    <QueryView query={query} failed={texts.requestsFailed} skeleton={<SkeletonRows height={72} />}>
      {corrections => (
        <DecideList
          {...common}
          label={texts.parts.corrections}
          items={oldestFirst(corrections, ({ createdAt }) => createdAt)}
          keyOf={({ id }) => id}
          first={item}
          nameOf={({ username, date }) => `${username}, ${texts.span(date, date)}`}
          row={({ username, date, newStart, newEnd }) =>
            line(username, `${texts.span(date, date)}, ${texts.times(newStart, newEnd)}`)
          }
          detail={correction => (
            <Beside
              correction={correction}
              times={timesOf(correction)}
              onTimes={times => setChanged({ ...changed, [correction.id]: times })}
            />
          )}
          actions={correction => (lackOf(timesOf(correction)) === null ? [yes, no] : [no])}
        />
      )}
    </QueryView>
  )
}

const lackOf = ({ start, end }: Times) =>
  start === '' ? texts.startMissing : end === '' ? texts.endMissing : null

interface BesideProps {
  correction: Correction
  times: Times
  onTimes: (times: Times) => void
}

function Beside({ correction, times, onTimes }: BesideProps) {
  const { id, userId, username, date, newStart, newEnd, breakMinutes, reason } = correction
  const lacks = lackOf(times)
  const { start, end } = useSettled(times)
  const isComplete = lackOf({ start, end }) === null
  const preview = useGet(
    '/api/time-corrections/{id}/preview',
    isComplete ? { path: { id }, query: { newStart: start, newEnd: end } } : null,
    LIVE,
  )
  return (
    <>
      <PersonName userId={userId} username={username} />
      <Facts
        facts={[
          { term: texts.day, value: longDay(date) },
          { term: texts.after, value: texts.times(newStart, newEnd) },
          breakMinutes !== null && { term: texts.wantedBreak, value: texts.minutes(breakMinutes) },
          reason !== null && { term: texts.reason, value: reason },
        ]}
      />
      <TimeInput label={texts.start} value={times.start} onChange={start => onTimes({ ...times, start })} />
      <TimeInput label={texts.end} value={times.end} onChange={end => onTimes({ ...times, end })} />
      {lacks !== null && (
        <Notice>
          <p>{lacks}</p>
        </Notice>
      )}
      {isComplete && (
        <QueryView query={preview} failed={texts.wouldBeRefused} skeleton={<Skeleton height={120} />}>
          {seen => <DayBars seen={seen} />}
        </QueryView>
      )}
    </>
  )
}

/** How long the user may still be typing. */
const SETTLED_MS = 300

function useSettled(times: Times): Times {
  const [settled, settle] = useState(times)
  const { start, end } = times
  useEffect(() => {
    const timer = setTimeout(() => settle({ start, end }), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [start, end])
  return settled
}
