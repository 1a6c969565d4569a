/** Asks before an address ends, whether it is removed or replaced. */
import { succeed } from '../../patterns/succeed'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Refresh, Trash } from '../../ui/icons'
import { useCreateAddress, useEndAddress } from './calendarAddress'
import { texts } from './texts'

interface AddressDialogProps {
  /** The current address, if it should be shown. */
  onUrl: (url: string | null) => void
  onClose: () => void
}

export function RenewAddress({ onUrl, onClose }: AddressDialogProps) {
  const creating = useCreateAddress()
  return (
    <ConfirmDialog
      title={texts.newTitle}
      consequences={texts.newConsequences}
      confirm={texts.newAddress}
      danger={<Refresh size={18} />}
      acting={creating}
      done={onUrl}
      onClose={onClose}
    />
  )
}

export function EndAddress({ onUrl, onClose }: AddressDialogProps) {
  const ending = useEndAddress()
  return (
    <ConfirmDialog
      title={texts.endTitle}
      consequences={texts.endConsequences}
      confirm={texts.endAddress}
      danger={<Trash size={18} />}
      acting={ending}
      done={() => {
        onUrl(null)
        succeed(texts.ended)
      }}
      onClose={onClose}
    />
  )
}
