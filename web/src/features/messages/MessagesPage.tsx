/** "Meine Nachrichten": hand-overs to answer, the inbox, and the notification settings. */

import { useHas } from '../../entities/people/PersonLink'
import { fetched, withMantine } from '../../patterns/fetched'
import { Page } from '../../patterns/Page'
import { Skeleton } from '../../ui/states'
import type { PageProps } from '../feature'
import { InboxPart } from './InboxPart'
import classes from './MessagesPage.module.css'
import { decisionOf, placeOf } from './message'
import { Offers } from './Offers'
import { texts } from './texts'
import { useInbox } from './useInbox'

const Notices = fetched(
  withMantine(async () => (await import('./notices/NoticesCard')).NoticesCard),
  <div className={classes.notices}>
    <Skeleton height={260} />
  </div>,
)

export function MyMessages({ session }: PageProps) {
  const inbox = useInbox(session.userId)
  return (
    <Page title={texts.title} offline={texts.offline} asOf={inbox.view.savedAt}>
      <div className={classes.parts}>
        <Offers userId={session.userId} />
        <InboxPart inbox={inbox} placeOf={placeOf} />
        <Notices session={session} />
      </div>
    </Page>
  )
}

/** Administrators have their own inbox, without hand-overs. */
export function CompanyMessages({ session }: PageProps) {
  const inbox = useInbox(session.userId)
  const [decides, exports] = [useHas('absences'), useHas('monthly_mail')]
  const opens = (page: string) => page === 'support' || (page === 'absences' ? decides : exports)
  return (
    <Page title={texts.companyTitle} offline={texts.companyOffline} asOf={inbox.view.savedAt}>
      <div className={classes.parts}>
        <InboxPart inbox={inbox} placeOf={message => decisionOf(message, opens)} />
        <Notices session={session} />
      </div>
    </Page>
  )
}
