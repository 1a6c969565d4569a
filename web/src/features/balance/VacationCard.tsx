/** The vacation of the year: allowance, used days and remainder. */
import { Card, Facts } from '../../ui/layout'
import { yearOf } from '../../ui/months'
import { texts } from './texts'
import type { Vacation } from './useAccount'

export function VacationCard({ month, vacation }: { month: string; vacation: Vacation }) {
  const { allowance, carried, booked, used, lapsed = 0, remaining, reserved } = vacation
  const days = (term: string, count: number) => ({ term, value: texts.days(count) })
  return (
    <Card title={texts.vacation(yearOf(month))}>
      <Facts
        sums
        facts={[
          days(texts.allowance, allowance),
          days(texts.carriedDays, carried),
          booked !== 0 && days(texts.bookedDays, booked),
          days(texts.used, -used),
          lapsed !== 0 && days(texts.lapsed, -lapsed),
          { ...days(texts.remaining, remaining), total: true },
          days(texts.reserved, reserved),
        ]}
      />
      {reserved !== 0 && <p className="muted">{texts.reservedNote}</p>}
    </Card>
  )
}
