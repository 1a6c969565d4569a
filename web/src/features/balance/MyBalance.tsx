/** The page of the user's time account. */
import { useMonthInAddress } from '../../patterns/useMonthInAddress'
import type { PageProps } from '../feature'
import { BalancePage } from './BalancePage'

export function MyBalance({ session }: PageProps) {
  const [month, show] = useMonthInAddress()
  return <BalancePage userId={session.userId} month={month} onMonth={show} />
}
