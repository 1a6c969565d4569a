/** The sick note of a report: downloaded on request with its progress, and opened in a new tab. */
import { type ReactNode, useEffect, useState } from 'react'
import { ProgressBar } from '../../patterns/ProgressBar'
import { saveAs } from '../../patterns/transfer'
import { Button } from '../../ui/Button'
import { useFocusPassedOn } from '../../ui/focus'
import { Scroll } from '../../ui/icons'
import { ErrorNotice, Notice } from '../../ui/Notice'
import classes from './cards.module.css'
import { texts } from './texts'
import { useNote } from './useAbsences'

/** The lifetime of the file's object URL (document 1, § 9). */
export const ADDRESS_LIVES_MS = 60_000

/** Types that browsers display without executing anything. Other files are only saved. */
const SHOWABLE = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf']

interface NoteProps {
  /** The id of an absence that has the note. */
  id: string
  day: string
  span: string
  /** Further actions, at the foot of a card. */
  children?: ReactNode
}

export function Note({ id, day, span, children }: NoteProps) {
  const note = useNote(id)
  /** A link to the file, if the browser has blocked the new tab. */
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (address === null) return
    const timer = setTimeout(() => setAddress(null), ADDRESS_LIVES_MS)
    return () => clearTimeout(timer)
  }, [address])
  const view = async () => {
    setAddress(null)
    note.reset()
    const received = await note.run(undefined)
    if (received === null || received === 'stopped') return
    const { file, name } = received
    if (!SHOWABLE.includes(file.type.split(';')[0] ?? '')) return saveAs(file, name ?? texts.noteName(day))
    const noteUrl = URL.createObjectURL(file)
    setTimeout(() => URL.revokeObjectURL(noteUrl), ADDRESS_LIVES_MS)
    if (window.open(noteUrl, '_blank') === null) setAddress(noteUrl)
  }
  return (
    <>
      <div className={children === undefined ? undefined : classes.acts}>
        <Button
          look={children === undefined ? 'secondary' : 'plain'}
          icon={<Scroll size={18} />}
          busy={note.busy}
          aria-label={texts.actOf(texts.view, span)}
          onClick={() => void view()}
        >
          {texts.view}
        </Button>
        {children}
      </div>
      {note.progress !== undefined && (
        <div className={classes.note}>
          <ProgressBar label={texts.viewing} progress={note.progress} />
          <StopButton onStop={note.stop} />
        </div>
      )}
      <ErrorNotice failure={note.failure} />
      {address !== null && (
        <Notice live="polite">
          <p>
            {texts.noteReady}{' '}
            <a href={address} target="_blank" rel="noreferrer">
              {texts.openNote}
            </a>
          </p>
        </Notice>
      )}
    </>
  )
}

function StopButton({ onStop }: { onStop: () => void }) {
  const button = useFocusPassedOn<HTMLButtonElement>()
  return (
    <Button ref={button} onClick={onStop}>
      {texts.stopViewing}
    </Button>
  )
}
