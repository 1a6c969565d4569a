/** "Abwesenheiten bestätigen": absences, leave and corrections that wait, a kind at a time, for the keys are one list's. */

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../../api/client'
import { Refused } from '../../api/failures'
import { type Action, DecideList } from '../../patterns/decide/DecideList'
import { Page } from '../../patterns/Page'
import { Served } from '../../patterns/Served'
import { succeed } from '../../patterns/succeed'
import { useGet } from '../../patterns/useGet'
import { Button } from '../../ui/Button'
import { TimeInput } from '../../ui/dates'
import { Buttons, Facts } from '../../ui/layout'
import { Notice } from '../../ui/Notice'
import { EmptyState, SkeletonRows } from '../../ui/states'
import { texts } from './texts'
import { type Correction, type Leave, openReports, type Report } from './waiting'

const ABSENCES = '/api/companies/{companyId}/absences'
const LEAVE = '/api/companies/{companyId}/vacation-requests'
const CORRECTIONS = '/api/companies/{companyId}/time-corrections'
const LIVE = { live: ['plan_update'] }
/** Leaving the page sends what is still waiting to be sent. */
const keepalive = true

const PARTS = { absences: Absences, requests: Requests, corrections: Corrections }
type Part = keyof typeof PARTS

export function DecidePage({ companyId }: { companyId: string }) {
  const [part, setPart] = useState<Part>('absences')
  const Shown = PARTS[part]
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Buttons>
        {(Object.keys(PARTS) as Part[]).map(each => (
          <Button
            key={each}
            look={each === part ? 'primary' : 'secondary'}
            aria-pressed={each === part}
            onClick={() => setPart(each)}
          >
            {texts.parts[each]}
          </Button>
        ))}
      </Buttons>
      <Shown key={part} companyId={companyId} />
    </Page>
  )
}

/** Says what was done, and asks anew for what waits. */
function useDone(path: typeof ABSENCES | typeof LEAVE | typeof CORRECTIONS) {
  const queries = useQueryClient()
  return (sentence: string) => {
    succeed(sentence)
    return queries.invalidateQueries({ queryKey: [path] })
  }
}

const line = (name: string, more: string) => (
  <span>
    <strong>{name}</strong>
    <br />
    <span className="muted">{more}</span>
  </span>
)
const common = {
  failed: texts.failed,
  empty: <EmptyState sentence={texts.nothing} />,
  keyOf: ({ id }: { id: string }) => id,
}

function Absences({ companyId }: { companyId: string }) {
  const query = useGet(ABSENCES, { path: { companyId }, query: { status: 'open' } }, LIVE)
  const done = useDone(ABSENCES)
  const excuse =
    (certified: boolean) =>
    async ({ day }: Report, comment: string) => {
      dataOf(
        await api.POST('/api/absences/{id}/excuse', {
          params: { path: { id: day.id } },
          body: { certified, comment: comment || null, wholeReport: true },
          keepalive,
        }),
      )
      await done(texts.excused)
    }
  const decline = async ({ day }: Report, comment: string) => {
    dataOf(
      await api.POST('/api/absences/{id}/decline', {
        params: { path: { id: day.id } },
        body: { certified: false, comment: comment || null, wholeReport: true },
        keepalive,
      }),
    )
    await done(texts.absenceDeclined)
  }
  const actions: readonly Action<Report>[] = [
    { key: 'a', label: texts.excuse, act: excuse(false), tone: 'primary' },
    { key: 'e', label: texts.excuseCertified, act: excuse(true) },
    { key: 'd', label: texts.decline, act: decline, tone: 'danger' },
  ]
  return (
    <Served query={query} failed={texts.absencesFailed} skeleton={<SkeletonRows height={72} />}>
      {absences => (
        <DecideList
          {...common}
          label={texts.parts.absences}
          items={openReports(absences)}
          nameOf={({ username, first, last }) => `${username}, ${texts.span(first, last)}`}
          row={({ username, first, last }) => line(username, texts.span(first, last))}
          detail={({ first, last, count, day, messages }) => (
            <Facts
              facts={[
                { term: texts.what, value: texts.absenceKinds[day.kind] },
                { term: texts.days, value: `${texts.span(first, last)} (${texts.daysOf(count)})` },
                day.reason !== null && { term: texts.reason, value: day.reason },
                messages.length > 0 && { term: texts.message, value: messages.join('\n') },
                day.sickNotePath !== null && { term: texts.note, value: <Note id={day.id} /> },
              ]}
            />
          )}
          actions={({ day }) => (day.kind === 'sick' ? actions : actions.filter(({ key }) => key !== 'e'))}
        />
      )}
    </Served>
  )
}

const NOTE_KEPT_MS = 60_000

/** The sick note, fetched when it is to be seen and opened beside the page; its address is given back after a minute. */
function Note({ id }: { id: string }) {
  const [failed, setFailed] = useState(false)
  const open = async () => {
    setFailed(false)
    try {
      const asked = { params: { path: { id } }, parseAs: 'blob' } as const
      const address = URL.createObjectURL(
        dataOf(await api.GET('/api/absences/{id}/sick-note', asked)) as Blob,
      )
      window.open(address, '_blank', 'noopener')
      setTimeout(() => URL.revokeObjectURL(address), NOTE_KEPT_MS)
    } catch {
      setFailed(true)
    }
  }
  return (
    <>
      <Button look="secondary" onClick={open}>
        {texts.openNote}
      </Button>
      {failed && <p role="alert">{texts.noteFailed}</p>}
    </>
  )
}

function Requests({ companyId }: { companyId: string }) {
  const pending = useGet(LEAVE, { path: { companyId }, query: { status: 'pending' } }, LIVE)
  const wishes = useGet(LEAVE, { path: { companyId }, query: { status: 'cancel_requested' } }, LIVE)
  const done = useDone(LEAVE)
  /** More than there is left: approved only when that is said once more. */
  const [over, setOver] = useState<ReadonlySet<string>>(new Set())
  const approve = async ({ id }: Leave, comment: string) => {
    try {
      dataOf(
        await api.POST('/api/vacation-requests/{id}/approve', {
          params: { path: { id } },
          body: { comment: comment || null, overAllowance: over.has(id) },
          keepalive,
        }),
      )
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'over_allowance') throw error
      setOver(known => new Set(known).add(id))
      // Nobody has decided it: it comes back, and can be decided again.
      throw new Refused(422, { message: error.message })
    }
    await done(texts.approved)
  }
  const decline = async ({ id }: Leave, comment: string) => {
    const body = { comment: comment || null }
    dataOf(
      await api.POST('/api/vacation-requests/{id}/decline', { params: { path: { id } }, body, keepalive }),
    )
    await done(texts.declined)
  }
  const cancel = async ({ id }: Leave, comment: string) => {
    dataOf(
      await api.POST('/api/vacation-requests/{id}/cancel', {
        params: { path: { id } },
        body: { comment },
        keepalive,
      }),
    )
    await done(texts.cancelled)
  }
  const keep = async ({ id }: Leave, comment: string) => {
    const body = { comment: comment || null }
    dataOf(await api.POST('/api/vacation-requests/{id}/keep', { params: { path: { id } }, body, keepalive }))
    await done(texts.kept)
  }
  const actionsOf = (leave: Leave): readonly Action<Leave>[] =>
    leave.status === 'approved'
      ? [
          { key: 's', label: texts.cancel, act: cancel, tone: 'danger', needsSentence: true },
          { key: 'b', label: texts.keep, act: keep },
        ]
      : [
          {
            key: over.has(leave.id) ? 't' : 'a',
            label: over.has(leave.id) ? texts.approveAnyway : texts.approve,
            act: approve,
            tone: 'primary',
          },
          { key: 'd', label: texts.decline, act: decline, tone: 'danger' },
        ]
  const query = {
    data: pending.data && wishes.data && [...pending.data, ...wishes.data],
    error: pending.error ?? wishes.error,
    isFetching: pending.isFetching || wishes.isFetching,
    refetch: () => Promise.all([pending.refetch(), wishes.refetch()]),
  }
  const kindOf = ({ kind, cancelRequested }: Leave) =>
    `${texts.leaveKinds[kind]}${cancelRequested ? `, ${texts.cancelWish}` : ''}`
  return (
    <Served query={query} failed={texts.requestsFailed} skeleton={<SkeletonRows height={72} />}>
      {leave => (
        <DecideList
          {...common}
          label={texts.parts.requests}
          items={leave}
          nameOf={({ username, startDate, endDate }) => `${username}, ${texts.span(startDate, endDate)}`}
          row={each => line(each.username, `${kindOf(each)}, ${texts.span(each.startDate, each.endDate)}`)}
          detail={each => (
            <Facts
              facts={[
                { term: texts.what, value: kindOf(each) },
                { term: texts.days, value: texts.span(each.startDate, each.endDate) },
                each.kind === 'vacation' && { term: texts.costs, value: texts.daysOf(each.days) },
                each.reason !== null && { term: texts.reason, value: each.reason },
                each.cancelReason !== null && { term: texts.cancelWish, value: each.cancelReason },
              ]}
            />
          )}
          actions={actionsOf}
        />
      )}
    </Served>
  )
}

function Corrections({ companyId }: { companyId: string }) {
  const query = useGet(CORRECTIONS, { path: { companyId }, query: { status: 'pending' } }, LIVE)
  const done = useDone(CORRECTIONS)
  /** By request: the times as the administrator has changed them. */
  const [changed, setChanged] = useState<Readonly<Record<string, { start: string; end: string }>>>({})
  const timesOf = ({ id, newStart, newEnd }: Correction) =>
    changed[id] ?? { start: newStart ?? '', end: newEnd ?? '' }
  const approve = async (each: Correction) => {
    const { start, end } = timesOf(each)
    const body = { newStart: start, newEnd: end }
    dataOf(
      await api.POST('/api/time-corrections/{id}/approve', {
        params: { path: { id: each.id } },
        body,
        keepalive,
      }),
    )
    await done(texts.corrected)
  }
  const decline = async ({ id }: Correction) => {
    dataOf(await api.POST('/api/time-corrections/{id}/decline', { params: { path: { id } }, keepalive }))
    await done(texts.correctionDeclined)
  }
  return (
    <Served query={query} failed={texts.requestsFailed} skeleton={<SkeletonRows height={72} />}>
      {corrections => (
        <DecideList
          {...common}
          label={texts.parts.corrections}
          items={corrections}
          nameOf={({ username, date }) => `${username}, ${texts.span(date, date)}`}
          row={({ username, date, newStart, newEnd }) =>
            line(username, `${texts.span(date, date)}, ${texts.times(newStart, newEnd)}`)
          }
          detail={each => {
            const { start, end } = timesOf(each)
            const set = (more: object) => setChanged({ ...changed, [each.id]: { start, end, ...more } })
            const lacks = start === '' ? texts.startMissing : end === '' ? texts.endMissing : null
            return (
              <>
                <Facts
                  facts={[
                    {
                      term: texts.before,
                      value:
                        each.before?.map(one => texts.times(one.start, one.end)).join(', ') || texts.noEntry,
                    },
                    { term: texts.after, value: texts.times(each.newStart, each.newEnd) },
                    (each.leavesOut ?? []).length > 0 && {
                      term: texts.leftOut,
                      value: each.leavesOut?.map(one => texts.times(one.start, one.end)).join(', '),
                    },
                    each.reason !== null && { term: texts.reason, value: each.reason },
                  ]}
                />
                <TimeInput label={texts.start} value={start} onChange={time => set({ start: time })} />
                <TimeInput label={texts.end} value={end} onChange={time => set({ end: time })} />
                {lacks !== null && (
                  <Notice>
                    <p>{lacks}</p>
                  </Notice>
                )}
              </>
            )
          }}
          actions={each => {
            const { start, end } = timesOf(each)
            const no: Action<Correction> = {
              key: 'd',
              label: texts.decline,
              act: decline,
              tone: 'danger',
              wordless: true,
            }
            const yes: Action<Correction> = {
              key: 'a',
              label: texts.approve,
              act: approve,
              tone: 'primary',
              wordless: true,
            }
            return start === '' || end === '' ? [no] : [yes, no]
          }}
        />
      )}
    </Served>
  )
}
