/** Drags with the mouse outside of React: the pointer's position is no state. */
import type { PointerEvent as Pressed } from 'react'
import classes from './grid.module.css'
import type { Cell } from './plan'

/** The cell of an event's target. */
export function cellIn(target: EventTarget): Cell | null {
  const [userId, date] =
    (target as Element).closest<HTMLElement>('[data-cell]')?.dataset.cell?.split(' ') ?? []
  return userId === undefined || date === undefined ? null : { userId, date }
}

export const elementAt = (table: HTMLElement | null, { userId, date }: Cell) =>
  table?.querySelector<HTMLElement>(`[data-cell="${userId} ${date}"]`) ?? null

/** Drags a cell's content with the mouse, and reports the drop target; a drop on its own cell counts as a press. */
export function carry(event: Pressed, from: HTMLElement | null, drop: (to: Cell) => void) {
  const pill = from?.querySelector<HTMLElement>(`.${classes.pill}`)
  if (from === null || pill == null) return
  event.preventDefault()
  from.focus({ preventScroll: true })
  const ghost = pill.cloneNode(true) as HTMLElement
  const [left, top] = [event.clientX, event.clientY]
  let over: HTMLElement | null = null
  const mark = (cell: HTMLElement | null) => {
    over?.removeAttribute('data-over')
    cell?.setAttribute('data-over', '')
    over = cell
  }
  const move = (at: PointerEvent) => {
    if (!ghost.isConnected && Math.hypot(at.clientX - left, at.clientY - top) < 4) return
    if (!ghost.isConnected) {
      const { width, height } = pill.getBoundingClientRect()
      ghost.style.cssText = `position:fixed;inset:0 auto auto 0;z-index:80;pointer-events:none;width:${width}px;height:${height}px`
      from.append(ghost)
      from.setAttribute('data-held', '')
    }
    ghost.style.transform = `translate(${at.clientX - ghost.offsetWidth / 2}px, ${at.clientY - ghost.offsetHeight / 2}px)`
    const cell =
      document.elementFromPoint(at.clientX, at.clientY)?.closest<HTMLElement>('[data-cell]') ?? null
    if (cell !== over) mark(cell === from ? null : cell)
  }
  const end = (at: PointerEvent) => {
    stop.abort()
    if (ghost.isConnected) {
      // A drag that returns to its start is no click.
      const swallow = (click: Event) => click.stopPropagation()
      from.addEventListener('click', swallow, true)
      setTimeout(() => from.removeEventListener('click', swallow, true))
    }
    const target = over === null ? null : cellIn(over)
    // First: it moves the focus, which makes the browser lay out earlier changes.
    if (at.type === 'pointerup' && target !== null) drop(target)
    mark(null)
    ghost.remove()
    from.removeAttribute('data-held')
  }
  const stop = new AbortController()
  for (const [type, listener] of [
    ['pointermove', move],
    ['pointerup', end],
    ['pointercancel', end],
  ] as const)
    window.addEventListener(type, listener, { signal: stop.signal })
}
