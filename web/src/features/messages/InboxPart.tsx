/** Unread messages, newest first. */
import { type MouseEvent, useId, useState } from 'react'
import { Link } from 'react-router'
import { useReachable } from '../../api/connectivity'
import { fetched, withMantine } from '../../patterns/fetched'
import { QueryView } from '../../patterns/QueryView'
import { Button } from '../../ui/Button'
import { useFocusPassedOn } from '../../ui/focus'
import {
  Calendar,
  Check,
  ChevronRight,
  Clock,
  Close,
  Inbox as InboxIcon,
  Info,
  Refresh,
  Swap,
} from '../../ui/icons'
import { ErrorNotice } from '../../ui/Notice'
import { EmptyState, Skeleton } from '../../ui/states'
import classes from './InboxPart.module.css'
import { type Message, outcomeOf, type Place, whenOf } from './message'
import { texts } from './texts'
import { type Inbox, MOST_MESSAGES } from './useInbox'

const ReadAllDialog = fetched(
  withMantine(async () => (await import('./ReadAllDialog')).ReadAllDialog),
  null,
)

interface InboxPartProps {
  inbox: Inbox
  /** The target of a message: the page of its subject. */
  placeOf?: ((message: Message) => Place | null) | undefined
}

const nowhere = () => null

export function InboxPart({ inbox, placeOf = nowhere }: InboxPartProps) {
  const { view, messages, failure, read } = inbox
  const [asked, setAsked] = useState(false)
  const [announced, setAnnounced] = useState('')
  const id = useId()
  const mark = (ids: readonly string[]) => {
    setAnnounced(texts.markedRead)
    read(ids)
  }
  return (
    <section className={classes.inbox} aria-labelledby={id}>
      <div className={classes.header}>
        <h2 id={id} className={classes.title}>
          {texts.inbox} {messages.length > 0 && <Count inbox={inbox} />}
        </h2>
        {messages.length > 1 && (
          <Button
            icon={<Check size={20} />}
            aria-haspopup="dialog"
            onPointerEnter={ReadAllDialog.prepare}
            onFocus={ReadAllDialog.prepare}
            onClick={() => setAsked(true)}
          >
            {view.data?.more === true ? texts.readShown(messages.length) : texts.readAll}
          </Button>
        )}
      </div>
      <ErrorNotice failure={failure} />
      <p className="visually-hidden" role="status">
        {failure === null ? announced : ''}
      </p>
      <QueryView
        query={view.stored ? { ...view, error: null } : view}
        failed={texts.failed}
        failedAgain={texts.failedAgain}
        offline={texts.notStored}
        skeleton={<InboxSkeleton />}
      >
        {() =>
          messages.length === 0 ? (
            <Empty inbox={inbox} />
          ) : (
            <>
              <ol className={classes.list}>
                {messages.map(message => (
                  <Line
                    key={message.id}
                    message={message}
                    place={placeOf(message)}
                    onRead={() => mark([message.id])}
                  />
                ))}
              </ol>
              <Older inbox={inbox} />
            </>
          )
        }
      </QueryView>
      {asked && (
        <ReadAllDialog
          count={messages.length}
          onRead={() => {
            setAsked(false)
            mark(messages.map(message => message.id))
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </section>
  )
}

function Count({ inbox: { messages, view } }: { inbox: Inbox }) {
  return (
    <span className={classes.count}>
      {messages.length}
      {view.data?.more === true && '+'}
    </span>
  )
}

function Empty({ inbox: { view } }: { inbox: Inbox }) {
  const reachable = useReachable()
  return (
    <EmptyState
      picture={<InboxIcon size={40} strokeWidth={1.6} />}
      sentence={texts.empty}
      action={
        <Button
          icon={<Refresh size={18} />}
          busy={view.isFetching}
          disabled={!reachable}
          onClick={() => void view.refetch()}
        >
          {texts.lookAgain}
        </Button>
      }
    />
  )
}

function Older({ inbox: { view, loadMore } }: { inbox: Inbox }) {
  const reachable = useReachable()
  if (loadMore !== null) {
    return (
      <Button className={classes.older ?? ''} busy={view.isFetching} disabled={!reachable} onClick={loadMore}>
        {texts.loadMore}
      </Button>
    )
  }
  return view.data?.more === true ? <p className={classes.note}>{texts.tooMany(MOST_MESSAGES)}</p> : null
}

interface LineProps {
  message: Message
  place: Place | null
  onRead: () => void
}

function Line({ message, place, onRead }: LineProps) {
  const line = useFocusPassedOn<HTMLLIElement>()
  const read = (event: MouseEvent<HTMLButtonElement>) => {
    goOn(event.currentTarget)
    onRead()
  }
  return (
    <li ref={line} className={classes.message} data-outcome={outcomeOf(message)}>
      <Picture message={message} />
      <div className={classes.words}>
        <h3 className={classes.subject}>{message.title}</h3>
        <p className={classes.when}>
          <time dateTime={message.createdAt}>{texts.clocked(whenOf(message.createdAt))}</time>
        </p>
        {message.body !== '' && <p className={classes.body}>{message.body}</p>}
        <div className={classes.acts}>
          {place !== null && (
            <Link
              to={{ search: place.search }}
              className={classes.place}
              aria-label={texts.placeOf(texts.places[place.page], message.title)}
            >
              {texts.places[place.page]}
              <ChevronRight size={18} />
            </Link>
          )}
          <button
            type="button"
            className={classes.read}
            title={texts.read}
            aria-label={texts.readOf(message.title)}
            onClick={read}
          >
            <Check size={20} />
          </button>
        </div>
      </div>
    </li>
  )
}

/** Before a line disappears: focuses the same button of the next one, or of the previous one. */
function goOn(button: HTMLElement) {
  const line = button.closest('li')
  const next = line?.nextElementSibling ?? line?.previousElementSibling
  next?.querySelector('button')?.focus({ preventScroll: true })
}

const PICTURES: Readonly<Record<string, typeof Swap>> = {
  handoff: Swap,
  handoff_response: Swap,
  schedule: Calendar,
  booking: Clock,
}

/** The icon of the outcome, else of the subject. */
function Picture({ message }: { message: Message }) {
  const outcome = outcomeOf(message)
  const Icon = outcome === 'good' ? Check : outcome === 'bad' ? Close : (PICTURES[message.type] ?? Info)
  return (
    <span className={classes.picture}>
      <Icon size={20} />
    </span>
  )
}

const SHAPES = [48, 62, 40]

function InboxSkeleton() {
  return (
    <div className={classes.list}>
      {SHAPES.map(width => (
        <div key={width} className={classes.message}>
          <Skeleton width={40} height={40} />
          <div className={classes.words}>
            <Skeleton width={`${width}%`} height={20} />
            <Skeleton width={120} height={14} />
            <Skeleton width="90%" height={16} />
          </div>
        </div>
      ))}
    </div>
  )
}
