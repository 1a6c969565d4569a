/** A page behind the login: its frame, and one banner above everything while the service is out of reach. */
import type { ReactNode } from 'react'
import { useOutage } from '../api/connectivity'
import { momentOf } from '../ui/days'
import { OfflineBanner } from '../ui/Notice'
import { PageFrame } from '../ui/PageFrame'
import { texts as uiTexts } from '../ui/texts'
import { texts } from './texts'

export interface PageProps {
  title: string
  lead?: string
  actions?: ReactNode
  /** What the page cannot do without the service, as a sentence. */
  offline?: string | undefined
  /** When the service said what is shown, in milliseconds; null where nothing is. */
  asOf?: number | null
  children: ReactNode
}

export function Page({ offline = texts.nothingKept, asOf = null, children, ...frame }: PageProps) {
  const outage = useOutage()
  return (
    <PageFrame {...frame}>
      {outage !== null && (
        <OfflineBanner
          outage={outage}
          asOf={asOf === null ? null : uiTexts.clock(momentOf(new Date(asOf)))}
          consequence={offline}
        />
      )}
      {children}
    </PageFrame>
  )
}
