/** The user's requests, newest first, with unsent ones. */
import { type ReactNode, useId, useState } from 'react'
import { Unsent } from '../../patterns/Unsent'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { currentDay, dayOf } from '../../ui/days'
import { Check, Clock, Close, Plus, Sun, Trash } from '../../ui/icons'
import { EmptyState } from '../../ui/states'
import { writtenSpans } from '../../ui/writtenDays'
import classes from './cards.module.css'
import { Opener } from './Opener'
import { newRequest, type Opening } from './opening'
import { wishOf } from './preview'
import { texts } from './texts'
import { type LeaveRequest, VACATION } from './useAbsences'

/** Further requests are history, and shown on demand. */
const REQUESTS_SHOWN = 5

interface RequestsProps {
  open: (opening: Opening) => void
  /** Renders the list once it is loaded. */
  children: (list: (requests: readonly LeaveRequest[]) => ReactNode) => ReactNode
}

export function Requests({ open, children }: RequestsProps) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        {texts.requests}
      </h2>
      <Unsent
        kind={VACATION}
        nameOf={body => {
          const { kind, startDate, endDate } = wishOf(body)
          return texts.unsentRequest(kind, texts.span(startDate, endDate))
        }}
        onEdit={body => open({ what: 'request', wish: wishOf(body) })}
      />
      {children(requests => (
        <List requests={requests} open={open} />
      ))}
    </section>
  )
}

interface ListProps {
  requests: readonly LeaveRequest[]
  open: (opening: Opening) => void
}

function List({ requests, open }: ListProps) {
  const [all, setAll] = useState(false)
  if (requests.length === 0) {
    return (
      <EmptyState
        picture={<Sun size={40} strokeWidth={1.6} />}
        sentence={texts.noRequests}
        action={
          <Opener icon={<Plus size={18} />} onClick={() => open(newRequest())}>
            {texts.askFirst}
          </Opener>
        }
      />
    )
  }
  // Pending requests are never history.
  const shownRequests = all
    ? requests
    : requests.filter(({ status }, index) => index < REQUESTS_SHOWN || status === 'pending')
  const older = requests.length - shownRequests.length
  return (
    <>
      <ul className={classes.cards}>
        {shownRequests.map(request => (
          <li key={request.id} className={classes.card}>
            <Request request={request} open={open} />
          </li>
        ))}
      </ul>
      {older > 0 && (
        <Button look="plain" className={classes.older ?? ''} onClick={() => setAll(true)}>
          {texts.older(older)}
        </Button>
      )}
    </>
  )
}

const MARKS = {
  pending: { tone: 'warn', icon: <Clock /> },
  approved: { tone: 'in', icon: <Check /> },
  declined: { tone: 'note', icon: <Close /> },
  cancelled: { tone: 'note', icon: <Close /> },
  cancelRequested: { tone: 'warn', icon: <Clock /> },
} as const

const dateOf = (instant: string) => texts.date(dayOf(new Date(instant)))

function Request({ request, open }: { request: LeaveRequest; open: (opening: Opening) => void }) {
  const { kind, startDate, endDate, days, returned, status, reason, comment, createdAt, decidedAt } = request
  const span = texts.span(startDate, endDate)
  const without = writtenSpans(request.leftOut)
  const state = request.cancelRequested ? 'cancelRequested' : status
  const { tone, icon } = MARKS[state]
  const act = status === 'pending' ? 'withdraw' : mayBeCancelled(request) ? 'cancel' : null
  return (
    <>
      <div className={classes.top}>
        <h3 className={classes.name}>{texts.kinds[kind]}</h3>
        <Badge tone={tone} icon={icon}>
          {texts.statuses[state]}
        </Badge>
      </div>
      <p className={classes.span}>
        <span>{span}</span>
        {without !== null && <span className={classes.halves}>{texts.without(without)}</span>}
        <Halves request={request} />
      </p>
      <p className={classes.more}>
        <span className={classes.strong}>{kind === 'wish' ? texts.noCost : texts.days(days)}</span>
        {returned > 0 && <span>{texts.returned(returned)}</span>}
        <span>
          {decidedAt === null ? texts.askedAt(dateOf(createdAt)) : texts.decidedAt(dateOf(decidedAt))}
        </span>
      </p>
      {reason !== null && <Quote by={texts.reasonSaid} words={reason} />}
      {comment !== null && <Quote by={texts.commentSaid} words={comment} />}
      {act !== null && (
        <div className={classes.acts}>
          <Opener
            look="plain"
            icon={<Trash size={18} />}
            aria-label={texts.actOf(texts[act], `${texts.kinds[kind]}, ${span}`)}
            onClick={() => open({ what: act, request })}
          >
            {texts[act]}
          </Opener>
        </div>
      )}
    </>
  )
}

/** Approved, not over, and without a cancellation request. */
const mayBeCancelled = ({ status, cancelRequested, endDate }: LeaveRequest) =>
  status === 'approved' && !cancelRequested && endDate >= currentDay()

function Halves({ request: { startDate, endDate, startHalf, endHalf } }: { request: LeaveRequest }) {
  const single = startDate === endDate
  const halves = [
    startHalf && (single ? texts.afternoon : texts.startHalf),
    endHalf && (single ? texts.morning : texts.endHalf),
  ].filter(words => words !== false)
  if (halves.length === 0) return null
  return <span className={classes.halves}>{halves.join(', ')}</span>
}

export function Quote({ by, words }: { by: string; words: string }) {
  return (
    <p className={classes.said}>
      <span className={classes.by}>{by}</span> {words}
    </p>
  )
}
