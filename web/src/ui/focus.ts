/** Where the focus goes when what has it goes: to the nearest thing, so that the keyboard never starts over. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** For an element that may unmount while it has the focus, for example by its own button: passes the focus on. */
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

/**
 * For a part that takes the focus, such as a dialog: on unmounting, returns the focus to the element that had it before.
 * If that element has gone with another such part, the focus goes to where that part would have returned it.
 */
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

/**
 * Waits until the closing part has left the document, since a dialog's focus trap would take the focus back; does
 * nothing if another element has the focus.
 */
function passOn(path: readonly Element[]) {
  setTimeout(() => {
    if (document.activeElement === null || document.activeElement === document.body) {
      nearest(path)?.focus({ preventScroll: true })
    }
  })
}

/** A dialog returns the focus on closing; this also applies to content that closes with it. */
const wayFrom = (element: Element | null) => [...pathOf(element), ...(owed.at(-1) ?? [])]

/** An element and its ancestors, up to the page's content, or to the level shared by dialogs and the rest. */
function pathOf(element: Element | null): Element[] {
  return element === null || element.matches(BEYOND) ? [] : [element, ...pathOf(element.parentElement)]
}

/** Where the focus was; if that is gone, the first thing to press nearest to it; at last the page's content. */
function nearest(path: readonly Element[]): HTMLElement | null {
  for (const element of path.filter(element => element.isConnected)) {
    const target = element.matches(PRESSABLE) ? element : element.querySelector(PRESSABLE)
    if (target instanceof HTMLElement) return target
  }
  return document.getElementById(CONTENT)
}

const CONTENT = 'content'
const BEYOND = `body, #${CONTENT}, [data-portal]`

const PRESSABLE =
  'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), td[tabindex="0"]'
