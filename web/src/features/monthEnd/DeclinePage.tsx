/**
 * "E-Mails abbestellen": the recipient of a monthly mail declines further ones, without a login. The link's token is in
 * the fragment (`#`), which no server receives. Opening the page changes nothing: mail scanners open links, too.
 */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { anonymous, dataOf } from '../../api/client'
import { isGone, Refused, sentenceOf } from '../../api/failures'
import type { components } from '../../api/schema'
import { useChange } from '../../patterns/useChange'
import { Button } from '../../ui/Button'
import { Buttons, Card } from '../../ui/layout'
import { ErrorNotice, Notice } from '../../ui/Notice'
import { PageFrame } from '../../ui/PageFrame'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { texts } from './declineTexts'

type Subscription = components['schemas']['SubscriptionBody']

const SUBSCRIPTION = '/api/export-mails/subscription'
/** The token is unknown, or malformed. */
const UNKNOWN = new Set([404, 422])

export function DeclinePage() {
  const token = useLocation().hash.slice(1)
  return (
    <PageFrame title={texts.title}>
      {token === '' ? (
        <Notice tone="error" live="assertive" title={texts.noToken} />
      ) : (
        <Checked key={token} token={token} />
      )}
    </PageFrame>
  )
}

function Checked({ token }: { token: string }) {
  const query = useQuery({
    queryKey: [SUBSCRIPTION, token],
    queryFn: async ({ signal }) => dataOf(await anonymous.POST(SUBSCRIPTION, { body: { token }, signal })),
  })
  if (query.data !== undefined) return <Choice token={token} known={query.data} />
  if (query.error === null) {
    return (
      <Loading>
        <Skeleton height={180} />
      </Loading>
    )
  }
  // An invalid link is not retried.
  if (query.error instanceof Refused && UNKNOWN.has(query.error.status)) {
    const sentence = isGone(query.error) ? query.error.message : texts.noToken
    return <Notice tone="error" live="assertive" title={sentence} />
  }
  return (
    <ErrorState
      title={texts.unchecked}
      detail={sentenceOf(query.error, texts.unchecked)}
      busy={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  )
}

function Choice({ token, known }: { token: string; known: Subscription }) {
  const { company, recipient, declined } = known
  const [wanted, setWanted] = useState<boolean | null>(null)
  // Also after a lost answer: the link's subject is refetched after every press.
  const done = wanted === declined
  const outcome = useRef<HTMLDivElement>(null)
  const choosing = useChange(
    async (decline: boolean) =>
      dataOf(await anonymous.PUT(SUBSCRIPTION, { body: { token, declined: decline } })),
    texts.failed,
    [[SUBSCRIPTION, token]],
  )
  // The other choice replaces the pressed button: the focus stays off it, so that a second press chooses nothing.
  useEffect(() => {
    if (done) outcome.current?.focus()
  }, [done])
  const choose = () => {
    setWanted(!declined)
    void choosing.run(!declined)
  }
  return (
    <Card label={texts.title} narrow>
      {(declined || done) && (
        <div ref={outcome} tabIndex={-1}>
          <Notice tone="done" live="polite" title={declined ? texts.declined : texts.resumed}>
            {declined && <p>{texts.declinedAbout(company, recipient)}</p>}
          </Notice>
        </div>
      )}
      {declined ? (
        <p>{texts.mistake}</p>
      ) : (
        <>
          <p>{texts.about(company, recipient)}</p>
          <p className="muted">{texts.consequence(company)}</p>
        </>
      )}
      <ErrorNotice failure={done ? null : choosing.failure} />
      <Buttons>
        <Button
          key={String(declined)}
          look={declined ? 'secondary' : 'primary'}
          busy={choosing.busy}
          onClick={choose}
        >
          {declined ? texts.resume : texts.decline}
        </Button>
      </Buttons>
    </Card>
  )
}
