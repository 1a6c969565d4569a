/** The user's pending requests to colleagues; each can be withdrawn. */
import { type ReactNode, useId } from 'react'
import { Button } from '../../ui/Button'
import { dayInMonth, momentOf } from '../../ui/days'
import { texts as uiTexts } from '../../ui/texts'
import classes from './OpenRequests.module.css'
import type { Duty, SwapRequest } from './plan'
import { texts } from './texts'
import { When } from './When'

interface OpenRequestsProps {
  rows: readonly SwapRequest[]
  dutyOn: (day: string) => Duty | undefined
  onWithdraw: (asked: SwapRequest) => void
  /** The user may be about to open it. */
  onNear: () => void
  /** Unsent requests. */
  children: ReactNode
}

export function OpenRequests({ rows, dutyOn, onWithdraw, onNear, children }: OpenRequestsProps) {
  const id = useId()
  return (
    <section className={classes.requests} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {texts.requests}
      </h2>
      {children}
      {rows.length > 0 && (
        <ul className={classes.list}>
          {rows.map(row => {
            const day = dayInMonth(row.date)
            const duty = dutyOn(row.date)
            return (
              <li key={row.date} className={classes.request}>
                <p className={classes.what}>{duty === undefined ? day : <When duty={duty} day={day} />}</p>
                <p className={classes.whom}>
                  <span className={classes.name}>{texts.requestTo(row.toName)}</span>{' '}
                  <span>{texts.requestSince(uiTexts.clock(momentOf(new Date(row.createdAt))))}</span>
                </p>
                {row.id !== '' && (
                  <Button
                    className={classes.act ?? ''}
                    aria-label={texts.withdrawOf(day, row.toName)}
                    aria-haspopup="dialog"
                    onPointerDown={onNear}
                    onFocus={onNear}
                    onClick={() => onWithdraw(row)}
                  >
                    {texts.withdraw}
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
