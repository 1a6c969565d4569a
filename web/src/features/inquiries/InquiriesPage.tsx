/** "Anfragen": what visitors have sent by the public forms, newest first. */
import { useState } from 'react'
import { Older } from '../../patterns/Older'
import { Page } from '../../patterns/Page'
import { Served } from '../../patterns/Served'
import { succeed } from '../../patterns/succeed'
import { Inbox } from '../../ui/icons'
import { EmptyState, Skeleton } from '../../ui/states'
import classes from './InquiriesPage.module.css'
import { InquiryEntry } from './InquiryEntry'
import type { Inquiry } from './inquiry'
import { RemoveInquiry } from './RemoveInquiry'
import { texts } from './texts'
import { useInquiries, useTaken } from './useInquiries'

export function InquiriesPage() {
  const list = useInquiries()
  const [leaving, setLeaving] = useState<Inquiry | null>(null)
  // What is there stays: of what did not come is spoken below, where it is missing.
  const query = list.data === undefined ? list : { ...list, error: null }
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Served query={query} failed={texts.failed} skeleton={<InquiriesSkeleton />}>
        {({ pages }) => {
          const inquiries = pages.flatMap(page => page.inquiries)
          return (
            <>
              {inquiries.length === 0 ? (
                <Nothing />
              ) : (
                <ul className={classes.inquiries} aria-label={texts.list}>
                  {inquiries.map(inquiry => (
                    <li key={inquiry.id}>
                      <InquiryEntry inquiry={inquiry} onRemove={() => setLeaving(inquiry)} />
                    </li>
                  ))}
                </ul>
              )}
              <Older list={list} texts={texts} />
            </>
          )
        }}
      </Served>
      {leaving !== null && (
        <RemoveInquiry
          inquiry={leaving}
          onRemoved={() => succeed(texts.removed)}
          onClose={() => setLeaving(null)}
        />
      )}
    </Page>
  )
}

/** Why there is nothing: nobody has written, or nobody can. */
function Nothing() {
  const taken = useTaken()
  return (
    <EmptyState picture={<Inbox size={40} />} sentence={taken === false ? texts.notTaken : texts.empty} />
  )
}

function InquiriesSkeleton() {
  return (
    <div className={classes.skeleton}>
      {[1, 2, 3, 4].map(row => (
        <Skeleton key={row} height={72} />
      ))}
    </div>
  )
}
