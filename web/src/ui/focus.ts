/** Where the focus goes when what has it goes: to the nearest thing, so that the keyboard never starts over. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** For what may go while it has the focus, as by its own button. */
export function useFocusPassedOn<Target extends HTMLElement>() {
  const target = useRef<Target>(null)
  useLayoutEffect(() => {
    const own = target.current
    return () => {
      const focused = document.activeElement
      if (own?.contains(focused)) passOn(pathOf(focused))
    }
  }, [])
  return target
}

/** For what takes the focus to itself and gives it back. */
export function useFocusBack() {
  const [before] = useState(() => pathOf(document.activeElement))
  useEffect(() => () => passOn(before), [before])
}

/** Once what goes has left the document, or a dialog's own trap would take the focus again; unless somebody has it. */
function passOn(path: readonly Element[]) {
  setTimeout(() => {
    if (document.activeElement === null || document.activeElement === document.body) {
      nearest(path)?.focus({ preventScroll: true })
    }
  })
}

function pathOf(element: Element | null): Element[] {
  return element === null ? [] : [element, ...pathOf(element.parentElement)]
}

/** Where the focus was; if that is gone, the first thing to press nearest to it; at last the page's content. */
function nearest(path: readonly Element[]): HTMLElement | null {
  const content = document.getElementById('content')
  for (const element of path.filter(each => each.isConnected)) {
    if (element === content || element === document.body) break
    const target = element.matches(PRESSABLE) ? element : element.querySelector(PRESSABLE)
    if (target instanceof HTMLElement) return target
  }
  return content
}

const PRESSABLE =
  'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), td[tabindex="0"]'
