/** `Strg+K` or `⌘K`: finds a page or a person by a part of the name. */
import { useEffect, useState } from 'react'
import { fetched, withMantine } from '../../patterns/fetched'
import type { FinderDialogProps } from './FinderDialog'

const FinderDialog = fetched(
  withMantine(async () => (await import('./FinderDialog')).FinderDialog),
  null,
)

export function Finder(props: Omit<FinderDialogProps, 'onClose'>) {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey) return
      if (event.ctrlKey === event.metaKey || document.querySelector('[role=dialog]') !== null) return
      event.preventDefault()
      setOpen(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return open ? <FinderDialog {...props} onClose={() => setOpen(false)} /> : null
}
