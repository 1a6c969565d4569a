/** Names that are never truncated: at most two lines, in the largest of a few font sizes that fits. */
import { useLayoutEffect, useRef } from 'react'

/** The last step, which takes the room it needs; `AnswerScreen.module.css` defines the steps. */
export const LAST_STEP = 4

/** Sets `data-fit` on the screen around the name, 0 for the largest step. */
export function useFit() {
  const name = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    let isMounted = true
    const enlarge = () => {
      const element = name.current
      const screen = element?.closest('main')
      if (!isMounted || element === null || !screen) return
      for (let step = 0; step <= LAST_STEP; step++) {
        screen.dataset.fit = String(step)
        if (fits(element)) return
      }
    }
    enlarge()
    // Before the font has loaded, the page measures a fallback.
    document.fonts?.ready.then(enlarge)
    return () => {
      isMounted = false
    }
  })
  return name
}

function fits(element: HTMLElement): boolean {
  const line = Number.parseFloat(getComputedStyle(element).lineHeight)
  return !(element.clientHeight > 2.5 * line) && element.scrollWidth <= element.clientWidth
}
