/**
 * Scrolls its content into view when it appears, however little of the window a keyboard or a dialog's buttons leave.
 */
import { type ReactNode, useEffect, useRef } from 'react'

export function InSight({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Some browsers answer with a promise, which is nothing to be undone.
    box.current?.scrollIntoView?.({ block: 'nearest' })
  }, [])
  return <div ref={box}>{children}</div>
}
