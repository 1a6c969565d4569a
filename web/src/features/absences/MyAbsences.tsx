/** The page of the user's absences. */
import { useMonthInAddress } from '../../patterns/useMonthInAddress'
import type { PageProps } from '../feature'
import { AbsencesPage } from './AbsencesPage'

export function MyAbsences({ session }: PageProps) {
  const [month, show] = useMonthInAddress()
  return <AbsencesPage userId={session.userId} month={month} onMonth={show} />
}
