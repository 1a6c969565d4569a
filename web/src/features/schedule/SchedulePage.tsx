/** "Meine Termine": the next duty, the month, and handing a duty over. */
import { useCallback, useRef, useState } from 'react'
import { useReachable } from '../../api/connectivity'
import type { Session } from '../../api/session'
import { fetched, withMantine } from '../../patterns/fetched'
import { Page } from '../../patterns/Page'
import { QueryView, RefreshFailed } from '../../patterns/QueryView'
import { useUnsent } from '../../patterns/sending'
import { texts as patternTexts } from '../../patterns/texts'
import type { Stored } from '../../patterns/useStored'
import { dayInMonth, dayOf, momentOf } from '../../ui/days'
import { Live } from '../../ui/icons'
import { monthName } from '../../ui/months'
import { texts as uiTexts } from '../../ui/texts'
import { useNow } from '../../ui/useNow'
import { useWide } from '../../ui/useWide'
import { DayList } from './DayList'
import { DutyCalendar } from './DutyCalendar'
import { NextDuty } from './NextDuty'
import { OpenRequests } from './OpenRequests'
import { coming, type Duty, type Leave, type SwapRequest } from './plan'
import classes from './SchedulePage.module.css'
import { ScheduleSkeleton } from './ScheduleSkeleton'
import { texts } from './texts'
import { useJumpToDay } from './useJumpToDay'
import {
  type Duties,
  HAND_OVER,
  useAsked,
  useColleagues,
  useDuties,
  useLeave,
  useLivePlan,
  useStandings,
  wishOf,
} from './usePlan'

const HandOverDialog = fetched(
  withMantine(async () => (await import('./HandOverDialog')).HandOverDialog),
  null,
)
const WithdrawDialog = fetched(
  withMantine(async () => (await import('./WithdrawDialog')).WithdrawDialog),
  null,
)
const UnsentItems = fetched(async () => (await import('../../patterns/Unsent')).UnsentItems, null)
const CalendarAddress = fetched(async () => (await import('./CalendarAddress')).CalendarAddress, null)

interface SchedulePageProps {
  session: Session
  month: string
  onMonth: (month: string) => void
}

export function SchedulePage({ session, month, onMonth }: SchedulePageProps) {
  const today = dayOf(useNow(30_000))
  const { ahead, shown } = useDuties(session, month, today)
  const swapRequests = useAsked(session)
  const leave = useLeave(session)
  const live = useLivePlan(session, swapRequests.forget)
  const reachable = useReachable()
  const wide = useWide()
  return (
    <Page
      title={texts.title}
      {...(live && reachable ? { actions: <IsLive /> } : {})}
      offline={ahead.data === undefined ? undefined : texts.offline}
      asOf={shown.savedAt ?? ahead.savedAt}
    >
      <OnPaper month={month} />
      <QueryView
        query={ahead}
        failed={texts.failed}
        failedAgain={texts.failedAgain}
        offline={texts.notStored}
        skeleton={<ScheduleSkeleton wide={wide} />}
      >
        {known => (
          <Plan
            session={session}
            month={month}
            onMonth={onMonth}
            today={today}
            ahead={known}
            shown={shown}
            far={shown !== ahead}
            asked={swapRequests}
            leave={leave}
          />
        )}
      </QueryView>
    </Page>
  )
}

/** A refetch would be redundant. */
function IsLive() {
  return (
    <span className={classes.live} title={patternTexts.live}>
      <Live size={20} />
      <span className="visually-hidden">{patternTexts.live}</span>
    </span>
  )
}

/** On paper: the month and the time of printing. */
function OnPaper({ month }: { month: string }) {
  const now = useNow(30_000)
  return <p className={classes.printed}>{texts.printed(monthName(month), uiTexts.clock(momentOf(now)))}</p>
}

interface PlanProps extends SchedulePageProps {
  today: string
  ahead: Duties
  shown: Stored<Duties>
  /** Whether the month is outside the fetched range. */
  far: boolean
  asked: ReturnType<typeof useAsked>
  leave: Stored<Leave[]>
}

interface HandingOver {
  duty: Duty
  /** The person of a request that was refused later. */
  to: string | null
}

function Plan({ session, month, onMonth, today, ahead, shown, far, asked, leave }: PlanProps) {
  const now = useNow(30_000)
  const wide = useWide()
  const next = coming(ahead.duties, now, today)
  const colleagues = useColleagues(session, next.length > 0)
  const standings = useStandings(asked.rows)
  const [handing, setHanding] = useState<HandingOver | null>(null)
  const [leaving, setLeaving] = useState<SwapRequest | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const led = useJumpToDay(place, month, onMonth)
  const close = useCallback(() => setHanding(null), [])
  const duties = shown.data?.duties
  const timesOn = (date: string) => [...ahead.duties, ...(duties ?? [])].find(duty => duty.date === date)
  const Month = wide ? DutyCalendar : DayList
  const onPress = (duty: Duty) => setHanding({ duty, to: null })
  return (
    <>
      <NextDuty
        duties={next}
        now={now}
        today={today}
        asked={asked.rows}
        standings={standings}
        onGo={led.lead}
      />
      <NotSent
        refused
        colleagues={colleagues.data}
        onEdit={body => {
          const { date, to } = wishOf(body)
          const duty = timesOn(date) ?? { id: date, date, start: null, end: null }
          setHanding({ duty, to })
        }}
      />
      <Quiet query={asked.served} sentence={texts.requestsFailed} />
      <Quiet query={leave} sentence={texts.leaveFailed} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it takes nothing; the dialog's code is on its way once somebody comes near */}
      <div
        ref={place}
        className={classes.month}
        onPointerOver={HandOverDialog.prepare}
        onFocus={HandOverDialog.prepare}
      >
        <Month
          month={month}
          onMonth={onMonth}
          now={now}
          today={today}
          duties={duties}
          leave={leave.data ?? []}
          standings={standings}
          marked={led.marked}
          onPress={onPress}
          next={next[0] ?? null}
          onLead={led.lead}
          onLook={shown.refetch}
          trouble={
            far && (
              <QueryView query={shown} failed={texts.failed} offline={texts.notStored} skeleton={null}>
                {() => null}
              </QueryView>
            )
          }
        />
      </div>
      {(asked.rows.length > 0 || [...standings.values()].includes('waiting')) && (
        <OpenRequests
          rows={asked.rows}
          dutyOn={timesOn}
          onWithdraw={setLeaving}
          onNear={WithdrawDialog.prepare}
        >
          <NotSent colleagues={colleagues.data} />
        </OpenRequests>
      )}
      <CalendarAddress />
      {handing !== null && (
        <HandOverDialog
          key={handing.duty.date}
          session={session}
          duty={handing.duty}
          to={handing.to}
          colleagues={colleagues}
          onAsked={asked.add}
          onClose={close}
        />
      )}
      {leaving !== null && (
        <WithdrawDialog
          session={session}
          asked={leaving}
          onWithdrawn={() => asked.forget(leaving.id)}
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  )
}

interface NotSentProps {
  refused?: boolean
  colleagues: readonly { id: string; username: string }[] | undefined
  onEdit?: (body: unknown) => void
}

/** Requests in the outbox, or refused ones; the code is fetched with the first of them. */
function NotSent({ refused = false, colleagues = [], ...more }: NotSentProps) {
  const items = useUnsent(HAND_OVER).filter(({ refusal }) => (refusal !== null) === refused)
  if (items.length === 0) return null
  const nameOf = (body: unknown) => {
    const { date, to } = wishOf(body)
    const name = colleagues.find(({ id }) => id === to)?.username
    return name === undefined ? texts.unsentOf(dayInMonth(date)) : texts.unsentTo(dayInMonth(date), name)
  }
  return <UnsentItems items={items} nameOf={nameOf} {...more} />
}

/** Errors of optional data. */
function Quiet({ query, sentence }: { query: Stored<unknown>; sentence: string }) {
  const reachable = useReachable()
  if (query.error === null || !reachable) return null
  return <RefreshFailed query={query} title={sentence} />
}
