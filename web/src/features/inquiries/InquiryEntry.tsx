/** An inquiry: a line with sender and subject, which unfolds to all fields, a reply link and the delete button. */
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { dayOf, longDay, timeOf } from '../../ui/days'
import { Trash } from '../../ui/icons'
import { type Fact, Facts, Fold, Toolbar } from '../../ui/layout'
import classes from './InquiryEntry.module.css'
import { type Inquiry, mailtoOf, monthlyOf, saidIn, senderOf, summaryOf, totalOf } from './inquiry'
import { texts } from './texts'

interface InquiryEntryProps {
  inquiry: Inquiry
  onRemove: () => void
}

export function InquiryEntry({ inquiry, onRemove }: InquiryEntryProps) {
  const createdAt = new Date(inquiry.createdAt)
  const moment = texts.moment(longDay(dayOf(createdAt)), timeOf(createdAt))
  const sender = senderOf(inquiry)
  const total = totalOf(inquiry)
  return (
    <Fold
      line={
        <div className={classes.line}>
          <span className={classes.head}>
            <Badge tone={total === null ? 'note' : 'in'}>{texts[inquiry.kind]}</Badge>
            <time dateTime={inquiry.createdAt} className={classes.muted}>
              {moment}
            </time>
          </span>
          <span className={classes.who}>{sender}</span>
          <span className={classes.summary}>{summaryOf(inquiry)}</span>
          {total !== null && <span className={classes.total}>{total}</span>}
        </div>
      }
    >
      <Facts facts={factsOf(inquiry)} />
      <Toolbar>
        <Answer inquiry={inquiry} />
        <Button icon={<Trash size={18} />} aria-label={texts.removeOf(sender, moment)} onClick={onRemove}>
          {texts.remove}
        </Button>
      </Toolbar>
    </Fold>
  )
}

function factsOf(inquiry: Inquiry): Fact[] {
  const total = totalOf(inquiry)
  const monthly = monthlyOf(inquiry)
  const facts = saidIn(inquiry).map(({ label, value }) => ({ term: label, value }))
  if (total === null) return facts
  const sum = [`${total} ${texts.totalNote}`, ...(monthly === null ? [] : [texts.cloudNote(monthly)])]
  return [...facts, { term: texts.total, value: sum.join(', ') }]
}

function Answer({ inquiry }: { inquiry: Inquiry }) {
  const mail = mailtoOf(inquiry)
  if (mail === null) return <p className={classes.muted}>{texts.noAddress}</p>
  return (
    <a className={classes.answer} href={mail.href}>
      {texts.answer(mail.email)}
    </a>
  )
}
