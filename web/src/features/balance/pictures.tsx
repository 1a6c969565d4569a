/** The month by day, and the year by month. */
import { type Bar, Bars } from '../../ui/Bars'
import { Button } from '../../ui/Button'
import { dayInMonth } from '../../ui/days'
import { difference } from '../../ui/durations'
import { Card } from '../../ui/layout'
import { monthName, monthShort } from '../../ui/months'
import { creditOf, type Kind, sum } from './ledger'
import { texts } from './texts'
import type { MonthAccount, YearAccount } from './useAccount'

type Day = MonthAccount['days'][number]

interface MonthPictureProps {
  account: MonthAccount
  today: string
}

export function MonthPicture({ account, today }: MonthPictureProps) {
  const title = texts.monthPicture(account.month)
  const holidays = new Map(account.holidays.map(({ date, name }) => [date, name]))
  const bars = account.days.map((day, index): Bar => {
    return {
      key: day.date,
      label: String(index + 1),
      always: index === 0 || (index + 1) % 5 === 0,
      name: dayInMonth(day.date),
      actual: day.actualMinutes,
      credit: sum(day.credits, ({ minutes }) => minutes),
      target: day.targetMinutes,
      now: day.date === today,
      quiet: day.targetMinutes === 0,
      remark: remarkOf(day, holidays.get(day.date)),
    }
  })
  return (
    <Card title={title}>
      <Bars caption={title} bars={bars} words={{ each: texts.eachDay, ...texts.bars }} />
    </Card>
  )
}

/** The reason for a credit. */
function remarkOf(day: Day, holiday: string | undefined): string | undefined {
  const kinds: readonly Kind[] = ['vacation', 'absence']
  const credited = kinds.filter(kind => creditOf(day, kind) !== 0).map(kind => texts.line[kind])
  const remarks = holiday === undefined ? credited : [holiday, ...credited]
  return remarks.length === 0 ? undefined : remarks.join(', ')
}

/** Whether the month has any target, work, credit or booking; false before the employment. */
export const hasAny = ({
  actualMinutes,
  targetMinutes,
  bookingMinutes,
  credits,
}: YearAccount['months'][number]) =>
  actualMinutes !== 0 || targetMinutes !== 0 || bookingMinutes !== 0 || credits.length > 0

interface YearPictureProps {
  year: YearAccount
  /** The page's month. */
  shown: string
  today: string
  onMonth: (month: string) => void
}

export function YearPicture({ year, shown, today, onMonth }: YearPictureProps) {
  const title = texts.yearPicture(year.year)
  const present = today.slice(0, 7)
  const bars = year.months.map(
    (month): Bar => ({
      key: month.month,
      label: monthShort(month.month),
      short: monthShort(month.month).slice(0, 1),
      name: monthName(month.month),
      actual: month.actualMinutes,
      credit: sum(month.credits, ({ minutes }) => minutes),
      target: month.targetMinutes,
      now: month.month === present,
      none: !hasAny(month),
      note: noteOf(month, present),
      remark: month.month === present ? texts.balanceSoFar : undefined,
    }),
  )
  return (
    <Card title={title}>
      <Bars caption={title} bars={bars} words={{ each: texts.eachMonth, ...texts.bars, note: texts.balance }}>
        {({ key }) =>
          key !== shown && (
            <Button look="plain" onClick={() => onMonth(key)}>
              {texts.showMonth(key)}
            </Button>
          )
        }
      </Bars>
    </Card>
  )
}

/** The month's own balance; the present month's until today, and no balance for a future one. */
function noteOf(month: YearAccount['months'][number], present: string): string {
  if (month.month > present || !hasAny(month)) return texts.noBalance
  return difference(
    month.month === present ? month.balanceToDateMinutes - month.carriedMinutes : month.balanceMinutes,
  )
}
