/** "Anfragen": visitors' inquiries from the public forms, newest first. */
import { useState } from 'react'
import { Older } from '../../patterns/Older'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Inbox, Trash } from '../../ui/icons'
import { CardList } from '../../ui/layout'
import { EmptyState, SkeletonRows } from '../../ui/states'
import { InquiryEntry } from './InquiryEntry'
import { type Inquiry, senderOf } from './inquiry'
import { texts } from './texts'
import { useInquiries, useRemoveInquiry, useTaken } from './useInquiries'

export function InquiriesPage() {
  const { list, rows } = useInquiries()
  const [leaving, setLeaving] = useState<Inquiry | null>(null)
  return (
    <Page title={texts.title} lead={texts.lead}>
      <QueryView query={rows} failed={texts.failed} skeleton={<SkeletonRows height={72} />}>
        {inquiries => (
          <>
            {inquiries.length === 0 ? (
              <EmptyInquiries />
            ) : (
              <CardList label={texts.list} look="joined" items={inquiries} keyOf={inquiry => inquiry.id}>
                {inquiry => <InquiryEntry inquiry={inquiry} onRemove={() => setLeaving(inquiry)} />}
              </CardList>
            )}
            <Older list={list} texts={texts} />
          </>
        )}
      </QueryView>
      {leaving !== null && <RemoveInquiry inquiry={leaving} onClose={() => setLeaving(null)} />}
    </Page>
  )
}

/** The reason for an empty list: no inquiries yet, or the forms are off. */
function EmptyInquiries() {
  const isTaken = useTaken()
  return (
    <EmptyState picture={<Inbox size={40} />} sentence={isTaken === false ? texts.notTaken : texts.empty} />
  )
}

function RemoveInquiry({ inquiry, onClose }: { inquiry: Inquiry; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={texts.removeQuestion}
      consequences={texts.removeConsequences(senderOf(inquiry))}
      confirm={texts.remove}
      danger={<Trash size={18} />}
      acting={useRemoveInquiry(inquiry.id)}
      done={() => succeed(texts.removed)}
      onClose={onClose}
    />
  )
}
