/** The page's dialogs: their code, and their components, are fetched with the first of them. */

import { MessageDialog } from './MessageDialog'
import type { Opening } from './opening'
import { RequestDialog } from './RequestDialog'
import { SickDialog } from './SickDialog'
import { CancelDialog } from './takingBack/CancelDialog'
import { RecoverDialog } from './takingBack/RecoverDialog'
import { UploadDialog } from './UploadDialog'
import { WithdrawDialog } from './WithdrawDialog'

interface DialogsProps {
  userId: string
  opening: Opening
  vacationEnabled: boolean
  onClose: () => void
}

export function Dialogs({ userId, opening, vacationEnabled, onClose }: DialogsProps) {
  switch (opening.what) {
    case 'request':
      return (
        <RequestDialog
          userId={userId}
          wish={opening.wish}
          vacationEnabled={vacationEnabled}
          onClose={onClose}
        />
      )
    case 'sick':
      return <SickDialog userId={userId} days={opening.days} onClose={onClose} />
    case 'message':
      return <MessageDialog day={opening.day} text={opening.text} onClose={onClose} />
    case 'upload':
      return <UploadDialog userId={userId} report={opening.report} day={opening.day} onClose={onClose} />
    case 'withdraw':
      return <WithdrawDialog userId={userId} request={opening.request} onClose={onClose} />
    case 'cancel':
      return <CancelDialog userId={userId} request={opening.request} onClose={onClose} />
    case 'recover':
      return <RecoverDialog userId={userId} report={opening.report} onClose={onClose} />
  }
}
