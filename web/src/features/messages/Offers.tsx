/** Hand-overs that wait for the user's answer. Renders nothing without any. */
import { useId, useState } from 'react'
import { useReachable } from '../../api/connectivity'
import { fetched, withMantine } from '../../patterns/fetched'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { Button } from '../../ui/Button'
import { longDay } from '../../ui/days'
import { span } from '../../ui/durations'
import { useFocusPassedOn } from '../../ui/focus'
import { Check, Close, Swap } from '../../ui/icons'
import { Notice } from '../../ui/Notice'
import { Skeleton } from '../../ui/states'
import { whenOf } from './message'
import classes from './Offers.module.css'
import { type Offer, useOffers } from './offers'
import { texts } from './texts'
import { type Answer, useAnswer } from './useAnswer'

const AcceptDialog = fetched(
  withMantine(async () => (await import('./AcceptDialog')).AcceptDialog),
  null,
)

export function Offers({ userId }: { userId: string }) {
  const offers = useOffers(userId)
  const answering = useAnswer(userId)
  const [asked, setAsked] = useState<Offer | null>(null)
  const id = useId()
  const answer = async (given: Answer) => {
    const outcome = await answering.run(given)
    setAsked(null)
    if (outcome === null) return
    const { date, requesterName } = given.offer
    succeed(given.accept ? texts.accepted(longDay(date)) : texts.declined(requesterName))
  }
  const ask = (offer: Offer) => {
    answering.reset()
    setAsked(offer)
  }
  const count = offers.data?.length ?? 0
  const failed = offers.data === undefined && offers.error !== null
  if (count === 0 && answering.failure === null && !failed) return null
  return (
    <section className={classes.offers} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {texts.offers} {count > 0 && <span className={classes.count}>{count}</span>}
      </h2>
      {answering.failure !== null && <Notice tone="error" live="assertive" title={answering.failure} />}
      <QueryView
        query={offers.stored ? { ...offers, error: null } : offers}
        failed={texts.offersFailed}
        offline={texts.offersNotStored}
        skeleton={<Skeleton height={140} />}
      >
        {rows => (
          <ul className={classes.list}>
            {rows.map(offer => (
              <OfferCard
                key={offer.id}
                offer={offer}
                busy={answering.busy && answering.about === offer.id}
                onNear={AcceptDialog.prepare}
                onAccept={() => ask(offer)}
                onDecline={() => void answer({ offer, accept: false })}
              />
            ))}
          </ul>
        )}
      </QueryView>
      {asked !== null && (
        <AcceptDialog
          offer={asked}
          busy={answering.busy}
          onAccept={() => void answer({ offer: asked, accept: true })}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  )
}

interface OfferCardProps {
  offer: Offer
  busy: boolean
  /** The user may be about to accept. */
  onNear: () => void
  onAccept: () => void
  onDecline: () => void
}

function OfferCard({ offer, busy, onNear, onAccept, onDecline }: OfferCardProps) {
  const reachable = useReachable()
  const card = useFocusPassedOn<HTMLLIElement>()
  const hint = useId()
  const { requesterName: name, date, start, end } = offer
  const day = longDay(date)
  const unable = { disabled: !reachable, 'aria-describedby': reachable ? undefined : hint }
  return (
    <li ref={card} className={classes.offer}>
      <span className={classes.icon}>
        <Swap size={22} />
      </span>
      <div className={classes.words}>
        <p>
          <strong>{name}</strong> {texts.offer}
        </p>
        <p className={classes.day}>
          <time dateTime={date}>{day}</time>
          {start !== null && (
            <span className={classes.times}>{end === null ? texts.clockFrom(start) : span(start, end)}</span>
          )}
        </p>
        <p className={classes.since}>{texts.offeredAt(texts.clocked(whenOf(offer.createdAt)))}</p>
      </div>
      <div className={classes.acts}>
        <Button
          look="primary"
          icon={<Check size={20} />}
          aria-label={texts.acceptOf(name, day)}
          aria-haspopup="dialog"
          onPointerEnter={onNear}
          onFocus={onNear}
          onClick={onAccept}
          {...unable}
        >
          {texts.accept}
        </Button>
        <Button
          icon={<Close size={20} />}
          aria-label={texts.declineOf(name, day)}
          busy={busy}
          onClick={onDecline}
          {...unable}
        >
          {texts.decline}
        </Button>
        {!reachable && (
          <p id={hint} className={classes.hint}>
            {texts.needsNetwork}
          </p>
        )}
      </div>
    </li>
  )
}
