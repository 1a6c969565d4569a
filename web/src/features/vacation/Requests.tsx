/** Waiting leave: requests, and wishes to cancel. The panel shows the facts for the decision. */

import { closedOf, restsOf, usePreview, Warnings } from '../../entities/absences/preview'
import { type Action, DecideList } from '../../patterns/decide/DecideList'
import { QueryView } from '../../patterns/QueryView'
import { useGet } from '../../patterns/useGet'
import { currentDay } from '../../ui/days'
import { Facts } from '../../ui/layout'
import { Skeleton, SkeletonRows } from '../../ui/states'
import {
  approveLeave,
  begun,
  cancelLeave,
  declineLeave,
  keepLeave,
  LEAVE,
  LIVE,
  nameOfLeave,
  useReportAndInvalidate,
} from './calls'
import { common, line, oldestFirst, type PartProps, PersonName } from './parts'
import type { Leave } from './rows'
import { Strip } from './Strip'
import { texts } from './texts'

export function Requests({ companyId, item }: PartProps) {
  const pending = useGet(LEAVE, { path: { companyId }, query: { status: 'pending' } }, LIVE)
  const wishes = useGet(LEAVE, { path: { companyId }, query: { status: 'cancel_requested' } }, LIVE)
  const done = useReportAndInvalidate()
  const today = currentDay()
  const act =
    (run: (id: string, sentence: string) => Promise<unknown>, said: string): Action<Leave>['act'] =>
    async ({ id }, sentence) => {
      await run(id, sentence)
      await done(said)
    }
  const approve = (over: boolean) => act((id, said) => approveLeave(id, said, over), texts.approved)
  const cancel = (passed: boolean) => act((id, said) => cancelLeave(id, said, passed), texts.cancelled)
  const requestActions: readonly Action<Leave>[] = [
    {
      key: 'a',
      label: texts.approve,
      act: approve(false),
      tone: 'primary',
      again: { code: 'over_allowance', key: 't', label: texts.approveAnyway, act: approve(true) },
    },
    { key: 'd', label: texts.decline, act: act(declineLeave, texts.declined), tone: 'danger' },
  ]
  const wished = (leave: Leave): readonly Action<Leave>[] => [
    ...(begun(leave, today)
      ? ([
          { key: 'h', label: texts.cancelRest, act: cancel(false), tone: 'danger', needsSentence: true },
          { key: 'g', label: texts.cancelAll, act: cancel(true), tone: 'danger', needsSentence: true },
        ] as const)
      : ([
          { key: 's', label: texts.cancel, act: cancel(false), tone: 'danger', needsSentence: true },
        ] as const)),
    { key: 'b', label: texts.keep, act: act(keepLeave, texts.kept) },
  ]
  const query = {
    data: pending.data && wishes.data && [...pending.data, ...wishes.data],
    error: pending.error ?? wishes.error,
    isFetching: pending.isFetching || wishes.isFetching,
    refetch: () => Promise.all([pending.refetch(), wishes.refetch()]),
  }
  return (
    <QueryView query={query} failed={texts.requestsFailed} skeleton={<SkeletonRows height={72} />}>
      {leave => (
        <DecideList
          {...common}
          label={texts.parts.requests}
          items={oldestFirst(leave, ({ createdAt }) => createdAt)}
          keyOf={({ id }) => id}
          first={item}
          nameOf={nameOfLeave}
          row={request =>
            line(request.username, `${kindOf(request)}, ${texts.span(request.startDate, request.endDate)}`)
          }
          detail={request => <Beside leave={request} />}
          actions={request => (request.status === 'approved' ? wished(request) : requestActions)}
        />
      )}
    </QueryView>
  )
}

const kindOf = ({ kind, cancelRequested }: Leave) =>
  `${texts.leaveKinds[kind]}${cancelRequested ? `, ${texts.cancelWish}` : ''}`

function Beside({ leave }: { leave: Leave }) {
  const { id, userId, username, kind, startDate, endDate, reason, cancelReason } = leave
  const preview = usePreview(userId, leave, id)
  return (
    <>
      <PersonName userId={userId} username={username} />
      <Facts
        facts={[
          { term: texts.what, value: kindOf(leave) },
          { term: texts.days, value: texts.spanWithHalves(leave) },
          kind === 'vacation' && { term: texts.costs, value: texts.daysOf(leave.days) },
          reason !== null && { term: texts.reason, value: reason },
          cancelReason !== null && { term: texts.cancelWish, value: cancelReason },
        ]}
      />
      <QueryView query={preview} failed={texts.previewFailed} skeleton={<Skeleton height={140} />}>
        {seen => (
          <>
            {kind === 'vacation' && <Facts facts={[...closedOf(seen), ...restsOf(seen)]} />}
            {leave.status === 'pending' && <Warnings seen={seen} name={username} />}
            <Strip days={seen.around} first={startDate} last={endDate} />
          </>
        )}
      </QueryView>
    </>
  )
}
