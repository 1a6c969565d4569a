/** The rows of a long list that are near the window. A short list is rendered whole, and so is every list on paper. */
import {
  defaultRangeExtractor,
  measureElement,
  useWindowVirtualizer,
  windowScroll,
} from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Up to this length browsers handle all rows well, and their own search finds each of them. */
const ALL_UP_TO = 100
/** A page key in the roster moves by as many rows (`features/roster/plan.ts`), and its target must be rendered. */
const BEYOND = 10
/** The estimated top of a list, until it is known. */
const TOP_PX = 300

export interface Near {
  indices: readonly number[]
  /** The space before the rendered rows, in pixels. */
  before: number
  after: number
  measure: ((row: HTMLElement | null) => void) | undefined
}

export function useVirtualRows(
  list: RefObject<HTMLElement | null>,
  count: number,
  rowPx: number,
  whole: boolean,
  gap = 0,
): Near {
  const printing = usePrinting()
  const all = whole || count <= ALL_UP_TO || printing
  const top = useTop(list, !all)
  const virtual = useWindowVirtualizer({
    count,
    enabled: !all,
    estimateSize: () => rowPx,
    overscan: BEYOND,
    gap,
    scrollMargin: top,
    // Neither scrolls the page to its position nor measures a row before the browser reports its layout: either would
    // force a layout of everything in the task that has just rendered it.
    scrollToFn: (offset, how, list) => {
      if (how.adjustments !== undefined) windowScroll(offset, how, list)
    },
    measureElement: (row, entry, rows) =>
      entry === undefined
        ? (rows.measurementsCache[rows.indexFromElement(row)]?.size ?? rowPx)
        : measureElement(row, entry, rows),
    // The focused row stays rendered, however far it is scrolled away.
    rangeExtractor: range => {
      const focused = Number(document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset.index)
      const indices = defaultRangeExtractor(range)
      const outside = list.current?.contains(document.activeElement) !== true || Number.isNaN(focused)
      return outside || indices.includes(focused) ? indices : [...indices, focused].sort((a, b) => a - b)
    },
  })
  if (all)
    return {
      indices: Array.from({ length: count }, (_, index) => index),
      before: 0,
      after: 0,
      measure: undefined,
    }
  const items = virtual.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  return {
    indices: items.map(({ index }) => index),
    before: first === undefined ? 0 : first.start - top,
    after: last === undefined ? 0 : virtual.getTotalSize() - (last.end - top),
    measure: virtual.measureElement,
  }
}

/** The list's top on the page, if needed. */
function useTop(list: RefObject<HTMLElement | null>, wanted: boolean): number {
  const [top, setTop] = useState(TOP_PX)
  useEffect(() => {
    if (!wanted || list.current === null) return
    // Fires after layout and after each change of its size: content above it mostly changes with it.
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setTop(entry.target.getBoundingClientRect().top + window.scrollY)
    })
    observer.observe(list.current)
    return () => observer.disconnect()
  }, [list, wanted])
  return top
}

function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useLayoutEffect(() => {
    // Synchronously: the browser renders the paper right after its event.
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return printing
}
