/** Facts and actions shared by the registry and a clock's own page. */

import type { ReactNode } from 'react'
import { lastSeenText, nameOf, stampsOf } from '../../entities/clocks/clocks'
import { Button } from '../../ui/Button'
import { RowMenu } from '../../ui/RowMenu'
import type { DeviceAction } from './DeviceDialogs'
import { texts } from './texts'
import type { Device } from './useFleet'

export const factsOf = (device: Device, serial: ReactNode = device.serial) => [
  { term: texts.company, value: device.companyName ?? texts.nobody },
  { term: texts.lastSeen, value: lastSeenText(device.lastSeen) },
  { term: texts.queue, value: stampsOf(device.queueDepth) },
  device.reader !== null && { term: texts.reader, value: texts.readers[device.reader] ?? device.reader },
  device.quality !== null && {
    term: texts.quality,
    value: texts.qualities[device.quality] ?? device.quality,
  },
  { term: texts.version, value: device.version || texts.unknown },
  { term: texts.serial, value: serial },
  { term: texts.code, value: device.claimCode },
  { term: texts.ip, value: device.ip ?? texts.unknown },
  { term: texts.mac, value: device.mac || texts.unknown },
  device.notes !== '' && { term: texts.notes, value: device.notes },
]

export interface ActsProps {
  device: Device
  onAsk: (deed: DeviceAction) => void
}

/** Common actions as buttons, serious ones in a menu. */
export function Acts({ device, onAsk }: ActsProps) {
  const name = nameOf(device)
  const assigned = device.companyId !== null
  return (
    <>
      <Button onClick={() => onAsk(assigned ? 'unassign' : 'assign')}>
        {assigned ? texts.unassign : texts.assign}
      </Button>
      <Button onClick={() => onAsk('edit')} aria-label={texts.editOf(name)}>
        {texts.edit}
      </Button>
      <RowMenu
        name={name}
        entries={[
          ...(assigned ? [{ label: texts.assign, onPress: () => onAsk('assign') }] : []),
          { label: texts.replace, onPress: () => onAsk('replace') },
          { label: texts.resetKey, onPress: () => onAsk('reset-key') },
          { label: texts.revoke, onPress: () => onAsk('revoke') },
          { label: texts.decommission, onPress: () => onAsk('decommission') },
        ]}
      />
    </>
  )
}
