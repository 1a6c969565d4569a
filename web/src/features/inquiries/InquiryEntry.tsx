/** One inquiry: a line of who wants what, and behind it every field, the way to answer, and the way to be rid of it. */
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { dayOf, longDay, timeOf } from '../../ui/days'
import { ChevronDown, Trash } from '../../ui/icons'
import classes from './InquiriesPage.module.css'
import { type Inquiry, mailtoOf, monthlyOf, saidIn, senderOf, summaryOf, totalOf } from './inquiry'
import { texts } from './texts'

interface InquiryEntryProps {
  inquiry: Inquiry
  onRemove: () => void
}

export function InquiryEntry({ inquiry, onRemove }: InquiryEntryProps) {
  const at = new Date(inquiry.createdAt)
  const moment = texts.moment(longDay(dayOf(at)), timeOf(at))
  const who = senderOf(inquiry)
  const total = totalOf(inquiry)
  return (
    <details className={classes.entry}>
      <summary className={classes.line}>
        <span className={classes.head}>
          <Badge tone={total === null ? 'note' : 'in'}>{texts[inquiry.kind]}</Badge>
          <time dateTime={inquiry.createdAt} className={classes.time}>
            {moment}
          </time>
        </span>
        <span className={classes.who}>{who}</span>
        <span className={classes.summary}>{summaryOf(inquiry)}</span>
        {total !== null && <span className={classes.total}>{total}</span>}
        <ChevronDown size={18} className={classes.opener} />
      </summary>
      <div className={classes.more}>
        <Fields inquiry={inquiry} />
        <div className={classes.acts}>
          <Answer inquiry={inquiry} />
          <Button icon={<Trash size={18} />} aria-label={texts.removeOf(who, moment)} onClick={onRemove}>
            {texts.remove}
          </Button>
        </div>
      </div>
    </details>
  )
}

function Fields({ inquiry }: { inquiry: Inquiry }) {
  const total = totalOf(inquiry)
  const monthly = monthlyOf(inquiry)
  return (
    <dl className={classes.fields}>
      {saidIn(inquiry).map(({ key, label, value }) => (
        <div key={key} className={classes.field}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {total !== null && (
        <div className={classes.field}>
          <dt>{texts.total}</dt>
          <dd>
            {[`${total} ${texts.totalNote}`, ...(monthly === null ? [] : [texts.cloudNote(monthly)])].join(
              ', ',
            )}
          </dd>
        </div>
      )}
    </dl>
  )
}

function Answer({ inquiry }: { inquiry: Inquiry }) {
  const mail = mailtoOf(inquiry)
  if (mail === null) return <p className={classes.noAddress}>{texts.noAddress}</p>
  return (
    <a className={classes.answer} href={mail.href}>
      {texts.answer(mail.email)}
    </a>
  )
}
