/**
 * Keeps presses while the page moves. A browser sends a click to what is under the pointer when it is released: if
 * late content moves the pressed button away, the button gets no click. A press with a still pointer counts where it began.
 */

/** A pointer that moved further than this left the button on purpose. */
const STILL_PX = 5

const PRESSABLE = 'button, a[href]'

interface Press {
  target: HTMLElement
  x: number
  y: number
}

/** Starts it for the whole document; returns its end. */
export function keepPresses(): () => void {
  let began: Press | null = null
  const begin = ({ target, isPrimary, button, clientX, clientY }: PointerEvent) => {
    const pressed = target instanceof Element ? target.closest<HTMLElement>(PRESSABLE) : null
    began = pressed !== null && isPrimary && button === 0 ? { target: pressed, x: clientX, y: clientY } : null
  }
  const end = (event: MouseEvent) => {
    const press = began
    // A click by a key, or by a program, has no count.
    if (press === null || event.detail === 0) return
    began = null
    if (press.target.contains(event.target as Node) || !press.target.isConnected) return
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > STILL_PX) return
    event.stopImmediatePropagation()
    event.preventDefault()
    press.target.click()
  }
  window.addEventListener('pointerdown', begin, true)
  window.addEventListener('click', end, true)
  return () => {
    window.removeEventListener('pointerdown', begin, true)
    window.removeEventListener('click', end, true)
  }
}
