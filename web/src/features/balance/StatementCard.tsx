/** The month as a signed file: on paper, and for whoever wants to check it. */
import { Link } from 'react-router'
import { ProgressBar } from '../../patterns/ProgressBar'
import { receive, saveAs } from '../../patterns/transfer'
import { useTransfer } from '../../patterns/useTransfer'
import { Button } from '../../ui/Button'
import { Download } from '../../ui/icons'
import { ErrorNotice } from '../../ui/Notice'
import classes from './Card.module.css'
import { texts } from './texts'

const FORMS = ['pdf', 'json'] as const
type Form = (typeof FORMS)[number]

interface StatementCardProps {
  userId: string
  month: string
  today: string
}

export function StatementCard({ userId, month, today }: StatementCardProps) {
  const present = today.slice(0, 7)
  return (
    <section className={`${classes.card} ${classes.onScreen}`} aria-label={texts.statement}>
      <h2 className={classes.title}>{texts.statement}</h2>
      {month > present ? (
        <p className={classes.lead}>{texts.notBegun}</p>
      ) : (
        <>
          <p className={classes.lead}>{texts.statementLead(month)}</p>
          {month === present && <p className={classes.note}>{texts.draft}</p>}
          <Files userId={userId} month={month} />
        </>
      )}
      <p className={classes.check}>
        <Link to="/pruefen">{texts.toCheck}</Link>
      </p>
    </section>
  )
}

function Files({ userId, month }: Omit<StatementCardProps, 'today'>) {
  const transfer = useTransfer<Form, { name: string }>(async (form, way) => {
    const query = new URLSearchParams({ month, format: form })
    const { file, name } = await receive(`/api/users/${encodeURIComponent(userId)}/statement?${query}`, way)
    const known = name ?? texts.fileName(month, form)
    saveAs(file, known)
    return { name: known }
  }, texts.statementFailed)
  return (
    <>
      <div className={classes.files}>
        {FORMS.map(form => (
          <Button key={form} wide icon={<Download size={18} />} onClick={() => void transfer.run(form)}>
            {texts[form]}
          </Button>
        ))}
      </div>
      {transfer.progress !== undefined && (
        <div className={classes.progress}>
          <ProgressBar label={texts.fetching} progress={transfer.progress} />
          <Button look="plain" onClick={transfer.stop}>
            {texts.stop}
          </Button>
        </div>
      )}
      {transfer.failure !== null && (
        <div className={classes.failure}>
          <ErrorNotice failure={transfer.failure} />
        </div>
      )}
    </>
  )
}
