/** The current part of a long text with anchors. Without JavaScript the page still works, less conveniently. */
import { useEffect, useState } from 'react'

/** The reading area is below the navigation bar, in the upper part of the window. */
const BAND = '-96px 0px -55% 0px'

interface Reading {
  /** The anchor of the part that is being read. */
  current: string | null
  /** Whether the initial scrolling is done: later scrolling may be smooth. */
  settled: boolean
}

/**
 * `start`: the anchor of the content above the first part. `end`: of the content below the last part, which may be too
 * short to scroll up to the reading area.
 */
export function useReading(ids: readonly string[], start: string, end: string): Reading {
  const [current, setCurrent] = useState<string | null>(null)
  const [settled, setSettled] = useState(false)

  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      // A page rendered in the browser had no such anchor when the browser looked for it.
      if (window.scrollY === 0) part(window.location.hash.slice(1))?.scrollIntoView()
      setSettled(true)
    })
    return () => cancelAnimationFrame(frame)
  }, [])

  useEffect(() => {
    if (!('IntersectionObserver' in window)) return
    const inBand = new Set<string>()
    const inSight = new Set<string>()
    const look = () => {
      const reading = ids.find(id => inBand.has(id)) ?? null
      if (reading === null && inBand.has(start)) return setCurrent(null)
      if (!inSight.has(end)) return setCurrent(previous => reading ?? previous)
      const hashId = window.location.hash.slice(1)
      setCurrent(inSight.has(hashId) && ids.includes(hashId) ? hashId : (ids.at(-1) ?? null))
    }
    const watch = (seen: Set<string>, rootMargin: string) =>
      new IntersectionObserver(
        changes => {
          for (const { isIntersecting, target } of changes) {
            if (isIntersecting) seen.add(target.id)
            else seen.delete(target.id)
          }
          look()
        },
        { rootMargin },
      )
    const observers = [watch(inBand, BAND), watch(inSight, '0px')]
    for (const id of [start, ...ids, end]) {
      const section = part(id)
      if (section !== null) for (const observer of observers) observer.observe(section)
    }
    return () => {
      for (const observer of observers) observer.disconnect()
    }
  }, [ids, start, end])

  return { current, settled }
}

const part = (id: string) => (id === '' ? null : document.getElementById(id))
