/** The costs of the chosen days, the days saved by holidays, and the remainder. */
import type { ReactNode } from 'react'
import { Refused, sentenceOf } from '../../api/failures'
import { Alert } from '../../ui/icons'
import { writtenSpans } from '../../ui/writtenDays'
import classes from './dialogs.module.css'
import { type Days, excess, othersReserved, type Preview, savedHolidays } from './preview'
import { texts } from './texts'
import { usePreview } from './useAbsences'

/** The refusal's code: the company is closed on all of these days. */
const CLOSED = 'company_closed'

export function PreviewBox({ userId, asked }: { userId: string; asked: Days }) {
  return (
    <section className={classes.preview} aria-label={texts.preview} aria-live="polite">
      <Content userId={userId} asked={asked} />
    </section>
  )
}

function Content({ userId, asked }: { userId: string; asked: Days }) {
  const { whole, reachable, data, error } = usePreview(userId, asked)
  if (whole && data !== undefined) return <PreviewFacts preview={data} asked={asked} />
  if (!reachable) return <p className={classes.quiet}>{texts.previewOffline}</p>
  if (!whole) return <p className={classes.quiet}>{texts.previewEmpty}</p>
  if (error === null) return <p className={classes.quiet}>{texts.previewComing}</p>
  // The service's objection to these days would also apply to the request.
  if (error instanceof Refused && (error.status === 422 || error.code === CLOSED)) {
    const fieldErrors = Object.values(error.fields)
    return (
      <Warning>
        {fieldErrors.length > 0 ? fieldErrors.join(' ') : sentenceOf(error, texts.previewFailed)}
      </Warning>
    )
  }
  return <p className={classes.quiet}>{texts.previewFailed}</p>
}

function PreviewFacts({ preview, asked }: { preview: Preview; asked: Days }) {
  const holidays = savedHolidays(preview, asked)
  const closed = writtenSpans(preview.leftOut)
  const { own, together } = excess(preview)
  const otherDays = othersReserved(preview)
  const years = [asked.startDate, asked.endDate].map(day => day.slice(0, 4))
  const vacation = asked.kind === 'vacation'
  const remainingDays = Math.max(0, preview.remainingAfter)
  const parts = vacation
    ? [
        texts.costs(preview.days),
        ...(holidays.length > 0 ? [texts.saves(holidays)] : []),
        years[0] === years[1] ? texts.remainingAfter(remainingDays) : texts.remainingAfterEach(remainingDays),
      ]
    : [texts.noCost]
  return (
    <>
      <p className={classes.result}>
        <span className={classes.resultLead}>{texts.previewLead}</span> {parts.join(' · ')}
      </p>
      {closed !== null && <p className={classes.quiet}>{texts.closedDays(closed)}</p>}
      {vacation && own > 0 && <Warning>{texts.over(own)}</Warning>}
      {vacation && own === 0 && together > 0 && <Warning>{texts.overTogether(together)}</Warning>}
      {vacation && own === 0 && together === 0 && otherDays > 0 && (
        <p className={classes.quiet}>{texts.othersReserved(otherDays)}</p>
      )}
      {preview.warnings.length > 0 && (
        <Warning>{texts.onDuty(preview.warnings.map(({ date }) => date))}</Warning>
      )}
      {preview.overlaps && <Warning>{texts.overlaps}</Warning>}
    </>
  )
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <p className={classes.warning}>
      <Alert size={18} />
      <span>{children}</span>
    </p>
  )
}
