/** The page of the own duties, which keeps its month in the address. */
import type { QueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import type { Session } from '../../api/session'
import { prepareStored } from '../../patterns/useStored'
import { dayOf } from '../../ui/days'
import { currentMonth, isMonth } from '../../ui/months'
import type { PageProps } from '../feature'
import { SchedulePage } from './SchedulePage'
import { dutiesAhead } from './usePlan'

/** Asks for what the page will show first. */
export const prepare = (queries: QueryClient, session: Session) =>
  prepareStored(queries, dutiesAhead(session, dayOf(new Date())))

export function MySchedule({ session }: PageProps) {
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
    <SchedulePage session={session} month={isMonth(wanted) ? wanted : currentMonth()} onMonth={setMonth} />
  )
}
