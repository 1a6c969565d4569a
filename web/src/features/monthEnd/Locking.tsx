/** The second step: locks the month permanently, after a warning. */
import type { ComponentType } from 'react'
import { useState } from 'react'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { currentDay } from '../../ui/days'
import { Lock } from '../../ui/icons'
import { Buttons } from '../../ui/layout'
import { addMonths, monthName } from '../../ui/months'
import { writtenDay } from '../../ui/writtenDays'
import { isOfTimes } from './Checking'
import type { StepProps } from './MonthEndPage'
import { texts } from './texts'
import { type Finding, momentIn, useLocking } from './useMonthEnd'

interface LockingProps {
  companyId: string
  month: string
  lock: { lockedAt: string | null; lockedBy: string | null }
  findings: readonly Finding[]
  step: ComponentType<StepProps>
}

export function Locking({ companyId, month, lock, findings, step: Step }: LockingProps) {
  const { lockedAt, lockedBy } = lock
  const [asked, setAsked] = useState(false)
  const locking = useLocking(companyId, month)
  const next = `${addMonths(month, 1)}-01`
  const leftOut = findings.filter(isOfTimes).length
  const over = currentDay() >= next
  return (
    <Step
      number={2}
      title={texts.lock}
      done={lockedAt !== null && `${texts.locked} ${texts.lockedAt(momentIn(lockedAt))}`}
    >
      <p>{texts.lockLead}</p>
      {lockedBy !== null && <p>{texts.lockedBy(lockedBy)}</p>}
      {lockedAt === null && !over && <p className="muted">{texts.lockAfter(writtenDay(next))}</p>}
      {lockedAt === null && over && (
        <Buttons>
          <Button icon={<Lock size={18} />} onClick={() => setAsked(true)}>
            {texts.lockMonth(monthName(month))}
          </Button>
        </Buttons>
      )}
      {asked && (
        <ConfirmDialog
          title={texts.lockQuestion(monthName(month))}
          consequences={[...texts.lockConsequences, ...(leftOut > 0 ? [texts.lockLeavesOut(leftOut)] : [])]}
          confirm={texts.lockMonth(monthName(month))}
          danger={<Lock size={18} />}
          acting={locking}
          onClose={() => setAsked(false)}
        />
      )}
    </Step>
  )
}
