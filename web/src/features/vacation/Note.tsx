/**
 * The sick note, fetched on demand: a picture is shown in the panel, a PDF in its own window, since pages must not
 * frame one. Its object URL is revoked after a minute, or with the panel.
 */
import { useEffect, useState } from 'react'
import { api, dataOf } from '../../api/client'
import { Button } from '../../ui/Button'
import classes from './parts.module.css'
import { texts } from './texts'

const NOTE_KEPT_MS = 60_000

export function Note({ id }: { id: string }) {
  const [failed, setFailed] = useState(false)
  const [picture, setPicture] = useState<string | null>(null)
  useEffect(() => {
    if (picture === null) return
    const giveBack = () => URL.revokeObjectURL(picture)
    const timer = setTimeout(giveBack, NOTE_KEPT_MS)
    return () => {
      clearTimeout(timer)
      giveBack()
    }
  }, [picture])
  const open = async () => {
    setFailed(false)
    try {
      const noteParams = { params: { path: { id } }, parseAs: 'blob' } as const
      const note = dataOf(await api.GET('/api/absences/{id}/sick-note', noteParams)) as Blob
      const address = URL.createObjectURL(note)
      if (note.type.startsWith('image/')) return setPicture(address)
      window.open(address, '_blank', 'noopener')
      setTimeout(() => URL.revokeObjectURL(address), NOTE_KEPT_MS)
    } catch {
      setFailed(true)
    }
  }
  return (
    <>
      {picture === null ? (
        <Button look="secondary" onClick={open}>
          {texts.openNote}
        </Button>
      ) : (
        <>
          <img className={classes.note} src={picture} alt={texts.note} />
          <Button look="secondary" onClick={() => setPicture(null)}>
            {texts.closeNote}
          </Button>
        </>
      )}
      {failed && <p role="alert">{texts.noteFailed}</p>}
    </>
  )
}
