/** The page of the user's times. */
import { useMonthInAddress } from '../../patterns/useMonthInAddress'
import type { PageProps } from '../feature'
import { TimesPage } from './TimesPage'

export function MyTimes({ session }: PageProps) {
  const [month, show] = useMonthInAddress()
  return <TimesPage userId={session.userId} month={month} onMonth={show} />
}
