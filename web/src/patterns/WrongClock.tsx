/** Reports that the device's clock is wrong, by how much, and the remedy. Fetched only on such a device. */
import { useState } from 'react'
import { Button } from '../ui/Button'
import { momentOf } from '../ui/days'
import { Notice } from '../ui/Notice'
import { texts as uiTexts } from '../ui/texts'
import { useNow } from '../ui/useNow'
import { texts } from './clockTexts'
import { texts as troubleTexts } from './troubleTexts'

const UNDERSTOOD = 'wrong-clock'
/** A larger change of the difference shows the notice again. */
const SAME_MS = 120_000

/** `ahead` is in milliseconds, negative for a slow clock. Shown until the user confirms it in this tab. */
export function WrongClock({ ahead }: { ahead: number }) {
  const [understood, setUnderstood] = useState(recall)
  // Each check notices whether the clock has been corrected.
  const now = useNow(5_000)
  if (understood !== null && Math.abs(understood - ahead) < SAME_MS) return null
  const understand = () => {
    setUnderstood(ahead)
    keep(ahead)
  }
  return <WrongClockNotice ahead={ahead} now={now} onUnderstood={understand} />
}

interface WrongClockNoticeProps {
  ahead: number
  now: Date
  onUnderstood: () => void
}

export function WrongClockNotice({ ahead, now, onUnderstood }: WrongClockNoticeProps) {
  const understood = (
    <Button look="plain" onClick={onUnderstood}>
      {troubleTexts.understood}
    </Button>
  )
  return (
    <Notice live="polite" title={texts.title(ahead)} action={understood}>
      {/* The minutes keep changing: a screen reader announces them once. */}
      <p aria-live="off">{texts.says(uiTexts.clock(momentOf(now)))}</p>
      <p>{texts.mend}</p>
    </Notice>
  )
}

function recall(): number | null {
  try {
    const storedChoice = sessionStorage.getItem(UNDERSTOOD)
    return storedChoice === null ? null : Number(storedChoice)
  } catch {
    return null
  }
}

function keep(ahead: number) {
  try {
    sessionStorage.setItem(UNDERSTOOD, String(ahead))
  } catch {
    // The browser forbids storage: the next load shows it again.
  }
}
