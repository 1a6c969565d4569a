/** The month as a signed file: for printing and for verification. */
import { Link } from 'react-router'
import { Export } from '../../patterns/Export'
import { Card } from '../../ui/layout'
import { texts } from './texts'

const FORMS = ['pdf', 'json'] as const

interface StatementCardProps {
  userId: string
  month: string
  today: string
}

export function StatementCard({ userId, month, today }: StatementCardProps) {
  const present = today.slice(0, 7)
  const begun = month <= present
  const files = FORMS.map(form => ({
    key: form,
    label: texts[form],
    path: `/api/users/${encodeURIComponent(userId)}/statement?${new URLSearchParams({ month, format: form })}`,
    name: texts.fileName(month, form),
  }))
  return (
    <Card onScreen title={texts.statement} lead={begun ? texts.statementLead(month) : texts.notBegun}>
      {month === present && <p className="muted">{texts.draft}</p>}
      {begun && <Export wide files={files} failed={texts.statementFailed} fetching={texts.fetching} />}
      <p>
        <Link to="/pruefen">{texts.toCheck}</Link>
      </p>
    </Card>
  )
}
