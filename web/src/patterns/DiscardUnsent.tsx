/** Asks before an unsent request is discarded. */

import { texts } from '../offline/texts'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { Trash } from '../ui/icons'

interface DiscardUnsentProps {
  /** The name of the unsent request. */
  name: string
  onDiscard: () => void
  onClose: () => void
}

export function DiscardUnsent({ name, onDiscard, onClose }: DiscardUnsentProps) {
  return (
    <ConfirmDialog
      title={texts.discardTitle}
      confirm={texts.discard}
      danger={<Trash size={18} />}
      onConfirm={() => {
        onDiscard()
        onClose()
      }}
      onClose={onClose}
    >
      <p>{texts.discardQuestion(name)}</p>
    </ConfirmDialog>
  )
}
