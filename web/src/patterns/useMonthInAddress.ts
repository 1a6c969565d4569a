/** The month that a page shows, which stands in the address: the browser's Back goes through them. */
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { currentMonth, isMonth } from '../ui/months'

const NAME = 'monat'

/** `YYYY-MM`, and how to show another; the current one, which the address leaves out, where it names none. */
export function useMonthInAddress(): [month: string, show: (month: string) => void] {
  const [search, setSearch] = useSearchParams()
  const wantedMonth = search.get(NAME)
  const show = useCallback(
    (month: string) =>
      setSearch(known => {
        const next = new URLSearchParams(known)
        if (month === currentMonth()) next.delete(NAME)
        else next.set(NAME, month)
        return next
      }),
    [setSearch],
  )
  return [isMonth(wantedMonth) ? wantedMonth : currentMonth(), show]
}
