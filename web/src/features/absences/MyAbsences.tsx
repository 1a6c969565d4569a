/** The page of the own absences, which keeps its month in the address. */
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { currentMonth, isMonth } from '../../ui/months'
import type { PageProps } from '../feature'
import { AbsencesPage } from './AbsencesPage'

export function MyAbsences({ session }: PageProps) {
  const [search, setSearch] = useSearchParams()
  const wanted = search.get('monat')
  const setMonth = useCallback(
    (month: string) =>
      setSearch(known => {
        const next = new URLSearchParams(known)
        if (month === currentMonth()) next.delete('monat')
        else next.set('monat', month)
        return next
      }),
    [setSearch],
  )
  return (
    <AbsencesPage
      userId={session.userId}
      month={isMonth(wanted) ? wanted : currentMonth()}
      onMonth={setMonth}
    />
  )
}
