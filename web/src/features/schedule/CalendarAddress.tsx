/**
 * The address for subscribing to the duties in a calendar app. It is a secret, shown once; it can be renewed and ended.
 */
import { useId, useState } from 'react'
import { fetched, withMantine } from '../../patterns/fetched'
import { QueryView } from '../../patterns/QueryView'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Copyable } from '../../ui/Copyable'
import { dayOf, formatter } from '../../ui/days'
import { useFocusPassedOn } from '../../ui/focus'
import { CalendarNow, Check, Refresh, Trash } from '../../ui/icons'
import { ErrorNotice, Notice } from '../../ui/Notice'
import { Skeleton } from '../../ui/states'
import classes from './CalendarAddress.module.css'
import { type AddressState, useAddress, useCreateAddress } from './calendarAddress'
import { texts } from './texts'

const EndAddress = fetched(
  withMantine(async () => (await import('./AddressDialogs')).EndAddress),
  null,
)
const RenewAddress = fetched(
  withMantine(async () => (await import('./AddressDialogs')).RenewAddress),
  null,
)

export function CalendarAddress() {
  const id = useId()
  const address = useAddress()
  const [url, setUrl] = useState<string | null>(null)
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.header}>
        <h2 id={id} className={classes.title}>
          {texts.address}
        </h2>
        {address.data?.active === true && <Active state={address.data} />}
      </div>
      <p className={classes.lead}>{texts.addressLead}</p>
      <p className={classes.lead}>{texts.addressSecret}</p>
      {url !== null && <ShownAddress url={url} />}
      <QueryView query={address} failed={texts.addressFailed} skeleton={<Skeleton width={180} height={44} />}>
        {state => (state.active ? <Change onUrl={setUrl} /> : <Create onUrl={setUrl} />)}
      </QueryView>
    </section>
  )
}

function Active({ state: { createdAt } }: { state: AddressState }) {
  return (
    <Badge tone="in" icon={<Check size={16} />}>
      {createdAt === null ? texts.addressActiveOnly : texts.addressActive(dateOf(createdAt))}
    </Badge>
  )
}

const dateOf = (instant: string) =>
  formatter({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${dayOf(new Date(instant))}T00:00Z`),
  )

interface ActsProps {
  onUrl: (url: string | null) => void
}

function Create({ onUrl }: ActsProps) {
  const creating = useCreateAddress()
  const acts = useFocusPassedOn<HTMLDivElement>()
  const create = async () => {
    const url = await creating.run(undefined)
    if (url !== null) onUrl(url)
  }
  return (
    <>
      <ErrorNotice failure={creating.failure} />
      <div ref={acts} className={classes.acts}>
        <Button icon={<CalendarNow />} busy={creating.busy} onClick={create}>
          {texts.createAddress}
        </Button>
      </div>
    </>
  )
}

function Change({ onUrl }: ActsProps) {
  const [asked, setAsked] = useState<'new' | 'end' | null>(null)
  const close = () => setAsked(null)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it takes nothing; the questions' code is on its way
    <div className={classes.acts} onPointerOver={EndAddress.prepare} onFocus={EndAddress.prepare}>
      <Button icon={<Refresh size={18} />} aria-haspopup="dialog" onClick={() => setAsked('new')}>
        {texts.newAddress}
      </Button>
      <Button icon={<Trash size={18} />} aria-haspopup="dialog" onClick={() => setAsked('end')}>
        {texts.endAddress}
      </Button>
      {asked === 'new' && <RenewAddress onUrl={onUrl} onClose={close} />}
      {asked === 'end' && <EndAddress onUrl={onUrl} onClose={close} />}
    </div>
  )
}

/** The address, shown once. A press opens the device's calendar app. */
function ShownAddress({ url }: { url: string }) {
  return (
    <div className={classes.shown}>
      <Notice live="polite" title={texts.shownOnce} />
      <Copyable text={url} label={texts.addressLabel} />
      <p className={classes.how}>
        <a className={classes.subscribe} href={url.replace(/^https?:/, 'webcal:')}>
          {texts.subscribe}
        </a>{' '}
        <span>{texts.howTo}</span>
      </p>
    </div>
  )
}
