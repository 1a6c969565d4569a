/** Where the focus goes when what has it goes: to the nearest thing, so that the keyboard never starts over. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** For what may go while it has the focus, as by its own button. */
export function useFocusPassedOn<Target extends HTMLElement>() {
  const target = useRef<Target>(null)
  useLayoutEffect(() => {
    const element = target.current
    return () => {
      const focused = document.activeElement
      if (element?.contains(focused)) passOn(wayFrom(focused))
    }
  }, [])
  return target
}

/** Where those that have taken the focus give it back to, the latest last. */
const owed: (readonly Element[])[] = []

/** For what takes the focus to itself and gives it back: if it had it from another such that is gone, to where that would. */
export function useFocusBack() {
  const [before] = useState(() => wayFrom(document.activeElement))
  useEffect(() => {
    owed.push(before)
    return () => {
      owed.splice(owed.indexOf(before), 1)
      passOn(before)
    }
  }, [before])
}

/** Once what goes has left the document, or a dialog's own trap would take the focus again; unless somebody has it. */
function passOn(path: readonly Element[]) {
  setTimeout(() => {
    if (document.activeElement === null || document.activeElement === document.body) {
      nearest(path)?.focus({ preventScroll: true })
    }
  })
}

/** Of what is in a dialog also where that gives the focus back, for it may go at once with what is in it. */
const wayFrom = (element: Element | null) => [...pathOf(element), ...(owed.at(-1) ?? [])]

/** An element and all around it, up to the page's content, or to where dialogs stand together with what is none. */
function pathOf(element: Element | null): Element[] {
  return element === null || element.matches(BEYOND) ? [] : [element, ...pathOf(element.parentElement)]
}

/** Where the focus was; if that is gone, the first thing to press nearest to it; at last the page's content. */
function nearest(path: readonly Element[]): HTMLElement | null {
  for (const element of path.filter(each => each.isConnected)) {
    const target = element.matches(PRESSABLE) ? element : element.querySelector(PRESSABLE)
    if (target instanceof HTMLElement) return target
  }
  return document.getElementById(CONTENT)
}

const CONTENT = 'content'
const BEYOND = `body, #${CONTENT}, [data-portal]`

const PRESSABLE =
  'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), td[tabindex="0"]'
