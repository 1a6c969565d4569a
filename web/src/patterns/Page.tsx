/** A page after the login: its frame, and one banner on top while the service is out of reach. */
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
  /** When the service gave the shown data, in milliseconds; null without data. */
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
