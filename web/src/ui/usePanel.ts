/**
 * A panel that a button opens below it (WAI-ARIA: disclosure). Escape closes it and returns to the button; a press
 * outside and moving the focus past it close it as well.
 */
import { useCallback, useEffect, useRef, useState } from 'react'

export function usePanel<Panel extends HTMLElement>() {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<Panel>(null)
  const close = useCallback(() => setOpen(false), [])
  useEffect(() => {
    if (!open) return
    const isInside = (target: EventTarget | null) =>
      [button.current, panel.current].some(part => part?.contains(target as Node))
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    const onLeave = (event: Event) => {
      if (!isInside(event.target)) setOpen(false)
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onLeave)
    document.addEventListener('focusin', onLeave)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onLeave)
      document.removeEventListener('focusin', onLeave)
    }
  }, [open])
  return { open, button, panel, toggle: () => setOpen(!open), close }
}
