/** The sick note, fetched when it is to be seen and opened beside the page; its address is given back after a minute. */
import { useState } from 'react'
import { api, dataOf } from '../../api/client'
import { Button } from '../../ui/Button'
import { texts } from './texts'

const NOTE_KEPT_MS = 60_000

export function Note({ id }: { id: string }) {
  const [failed, setFailed] = useState(false)
  const open = async () => {
    setFailed(false)
    try {
      const asked = { params: { path: { id } }, parseAs: 'blob' } as const
      const address = URL.createObjectURL(
        dataOf(await api.GET('/api/absences/{id}/sick-note', asked)) as Blob,
      )
      window.open(address, '_blank', 'noopener')
      setTimeout(() => URL.revokeObjectURL(address), NOTE_KEPT_MS)
    } catch {
      setFailed(true)
    }
  }
  return (
    <>
      <Button look="secondary" onClick={open}>
        {texts.openNote}
      </Button>
      {failed && <p role="alert">{texts.noteFailed}</p>}
    </>
  )
}
