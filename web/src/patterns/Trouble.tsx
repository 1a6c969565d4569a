/** Reports once that this device's outbox is unreliable. */
import { Button } from '../ui/Button'
import { Notice } from '../ui/Notice'
import type { Trouble as Known } from './sending'
import { texts } from './troubleTexts'

interface TroubleProps {
  trouble: Known
  onUnderstood: () => void
}

export function Trouble({ trouble: { unkept, lost }, onUnderstood }: TroubleProps) {
  if (!unkept && lost === 0) return null
  const understood = (
    <Button look="plain" onClick={onUnderstood}>
      {texts.understood}
    </Button>
  )
  return (
    <Notice
      tone="error"
      live="assertive"
      title={lost > 0 ? texts.lostTitle(lost) : texts.unkeptTitle}
      action={understood}
    >
      <p>{lost > 0 ? texts.lost : texts.unkept}</p>
    </Notice>
  )
}
