/** Before assigning a tag: lists the stamps made with it that have no owner yet. */
import type { components } from '../../api/schema'
import { momentOf } from '../../ui/days'
import { Checkbox } from '../../ui/fields'
import { Notice } from '../../ui/Notice'
import { texts } from './texts'

export type HeldStamp = components['schemas']['HeldStamp']

const STAMPS_SHOWN = 3

/** The stamps of a tag, oldest first. */
export const heldOf = (held: readonly HeldStamp[], tag: string) =>
  held.filter(stamp => stamp.tag === tag).sort((a, b) => a.takenAt.localeCompare(b.takenAt))

interface HeldTagProps {
  held: readonly HeldStamp[]
  tick: { checked: boolean; name: string; onChange: (change: unknown) => void }
}

export function HeldTag({ held, tick }: HeldTagProps) {
  if (held.length === 0) return null
  return (
    <>
      <Notice live="polite" title={texts.heldTitle(held.length)}>
        {held.slice(0, STAMPS_SHOWN).map(({ id, takenAt, deviceName }) => (
          <p key={id}>{texts.heldLine(momentOf(new Date(takenAt)), deviceName)}</p>
        ))}
        {held.length > STAMPS_SHOWN && <p>{texts.heldMore(held.length - STAMPS_SHOWN)}</p>}
      </Notice>
      <Checkbox {...tick} label={texts.heldTake} />
    </>
  )
}
