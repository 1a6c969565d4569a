/** The month's calculation: a line for each part, which unfolds to its details. */
import { type ReactNode, useId, useState } from 'react'
import type { Stored } from '../../patterns/useStored'
import { shortDay } from '../../ui/days'
import { ChevronDown } from '../../ui/icons'
import { addMonths } from '../../ui/months'
import { useMatch } from '../../ui/useMatch'
import { ActualDetails, BookingDetails, CarriedDetails, CreditDetails, TargetDetails } from './details'
import classes from './LedgerCard.module.css'
import type { Amounts, Ledger, Line } from './ledger'
import { Amount } from './parts'
import { texts } from './texts'
import type { MonthAccount, TimeEntry, YearAccount } from './useAccount'

export interface LedgerCardProps {
  account: MonthAccount
  ledger: Ledger
  today: string
  entries: Stored<TimeEntry[]>
  year: YearAccount | null
}

export function LedgerCard(props: LedgerCardProps) {
  const { account, ledger, today, year } = props
  const { phase, until, carried } = ledger
  const narrow = useMatch('(max-width: 480px)')
  const two = phase === 'present'
  const layout = two ? (narrow ? 'stacked' : 'both') : 'whole'
  const untilName = until === null || until === today ? null : dayText(until)
  return (
    <table className={`${classes.ledger} ${classes[layout] ?? ''}`}>
      <caption className="visually-hidden">{texts.comesOf}</caption>
      <thead className={two ? undefined : 'visually-hidden'}>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{texts.column}</span>
          </th>
          {two && <th scope="col">{untilName === null ? texts.toDate : texts.toDay(untilName)}</th>}
          {layout !== 'stacked' && <th scope="col">{texts.whole}</th>}
        </tr>
      </thead>
      {ledger.lines.map(line => (
        <Unfolding key={line.kind} name={texts.line[line.kind]} amounts={line} shown={layout}>
          <Details line={line} {...props} />
        </Unfolding>
      ))}
      <Sum name={texts.own} amounts={ledger.own} shown={layout} />
      <Unfolding
        name={texts.carriedFrom(addMonths(account.month, -1))}
        amounts={{ month: carried, toDate: carried }}
        shown={layout}
      >
        <CarriedDetails month={account.month} carried={carried} year={year} />
      </Unfolding>
      <Sum name={endOf(account.month, two, untilName)} amounts={ledger.end} shown={layout} last />
    </table>
  )
}

const dayText = (day: string) => {
  const { weekday, date } = shortDay(day)
  return `${weekday} ${date}`
}

/** With two columns, each has its own result. */
function endOf(month: string, two: boolean, untilName: string | null): ReactNode {
  if (!two) return texts.endOf(month)
  return untilName === null ? texts.endToday : texts.endUntil(untilName)
}

function Details({ line, account, ledger, entries }: LedgerCardProps & { line: Line }) {
  const { kind } = line
  if (kind === 'actual') return <ActualDetails account={account} entries={entries} />
  if (kind === 'target') return <TargetDetails account={account} until={ledger.until} />
  if (kind === 'bookings') return <BookingDetails account={account} />
  return <CreditDetails account={account} kind={kind} until={ledger.until} />
}

/**
 * Only the month's total; with the sums until today next to it; or below it, where the two differ and room is scarce.
 */
type Shown = 'whole' | 'both' | 'stacked'

interface RowProps {
  name: ReactNode
  amounts: Amounts
  shown: Shown
}

function Unfolding({ name, amounts, shown, children }: RowProps & { children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <tbody className={open ? classes.open : undefined}>
      <tr>
        <th scope="row">
          <button
            type="button"
            className={classes.unfold}
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={() => setOpen(!open)}
          >
            <ChevronDown size={18} />
            <span>{name}</span>
          </button>
        </th>
        <Cells amounts={amounts} shown={shown} />
      </tr>
      {open && (
        <tr id={id}>
          <td className={classes.details} colSpan={shown === 'both' ? 3 : 2}>
            {children}
          </td>
        </tr>
      )}
    </tbody>
  )
}

function Sum({ name, amounts, shown, last = false }: RowProps & { last?: boolean }) {
  return (
    <tbody className={`${classes.sum} ${last ? classes.last : ''}`}>
      <tr>
        <th scope="row">{name}</th>
        <Cells amounts={amounts} shown={shown} />
      </tr>
    </tbody>
  )
}

function Cells({ amounts, shown }: Omit<RowProps, 'name'>) {
  const { month, toDate } = amounts
  if (shown === 'stacked') {
    return (
      <td>
        <Amount minutes={toDate} signed />
        {month !== toDate && (
          <span className={classes.whole}>
            {texts.whole} <Amount minutes={month} signed />
          </span>
        )}
      </td>
    )
  }
  return (
    <>
      {shown === 'both' && (
        <td>
          <Amount minutes={toDate} signed />
        </td>
      )}
      <td className={shown === 'both' ? classes.whole : undefined}>
        <Amount minutes={month} signed />
      </td>
    </>
  )
}
