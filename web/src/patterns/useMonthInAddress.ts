/** The page's month, kept in its address, so that the browser's Back steps through months. */
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { currentMonth, isMonth } from '../ui/months'

const NAME = 'monat'

/** `YYYY-MM`, and a setter; the current month, which the address omits, if it names no month. */
export function useMonthInAddress(): [month: string, show: (month: string) => void] {
  const [search, setSearch] = useSearchParams()
  const wantedMonth = search.get(NAME)
  const show = useCallback(
    (month: string) =>
      setSearch(previous => {
        const next = new URLSearchParams(previous)
        if (month === currentMonth()) next.delete(NAME)
        else next.set(NAME, month)
        return next
      }),
    [setSearch],
  )
  return [isMonth(wantedMonth) ? wantedMonth : currentMonth(), show]
}
