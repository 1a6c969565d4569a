/** "Datenschutz zustimmen": the notice, the permanent agreement, and the company's documents. */
import { Link } from 'react-router'
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { Export } from '../../patterns/Export'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { useChange } from '../../patterns/useChange'
import { keyOf, useGet } from '../../patterns/useGet'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { dayOf, timeOf } from '../../ui/days'
import { Check } from '../../ui/icons'
import { Buttons, Card, Facts } from '../../ui/layout'
import { ErrorNotice } from '../../ui/Notice'
import { now } from '../../ui/now'
import { Skeleton } from '../../ui/states'
import { writtenDay } from '../../ui/writtenDays'
import type { PageProps } from '../feature'
import { NOTICE, SECTIONS } from './noticeTexts'
import { texts } from './texts'

const CONSENT = '/api/companies/{id}/privacy-consent'
type Consent = components['schemas']['ConsentRow']

const day = writtenDay(NOTICE.day)
const moment = (at: string) => texts.moment(writtenDay(dayOf(new Date(at))), timeOf(new Date(at)))

export function PrivacyPage({ session: { companyId } }: PageProps) {
  const consent = useGet(CONSENT, { path: { id: companyId } })
  const files = (['verfahrensdokumentation', 'auftragsverarbeitung'] as const).map((name, index) => ({
    key: name,
    label: [texts.procedure, texts.processing][index] ?? name,
    path: `/api/companies/${encodeURIComponent(companyId)}/documents/${name}.pdf`,
    name: `${name}.pdf`,
  }))
  return (
    <Page title={texts.title} lead={texts.lead(NOTICE.version, day)}>
      <Card title={texts.papers} lead={texts.papersLead} narrow>
        <Export files={files} failed={texts.paperFailed} />
      </Card>
      <Card title={texts.notice} narrow>
        {SECTIONS.map(({ title, paragraphs }, index) => (
          <section key={title} aria-label={title} style={{ display: 'grid', gap: 8 }}>
            <h3>{texts.numbered(index + 1, title)}</h3>
            {paragraphs.map(paragraph => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
        ))}
        <p>
          <Link to="/impressum">{texts.imprint}</Link>
        </p>
      </Card>
      <QueryView query={consent} failed={texts.statusFailed} skeleton={<Skeleton height={180} />}>
        {known => <Agreeing companyId={companyId} known={known} />}
      </QueryView>
    </Page>
  )
}

function Agreeing({ companyId, known }: { companyId: string; known: Consent }) {
  const path = { id: companyId }
  const agreeing = useChange(
    async () =>
      dataOf(
        await api.PUT(CONSENT, {
          params: { path },
          body: { accepted: true, version: NOTICE.version, acceptedAt: now().toISOString() },
        }),
      ),
    texts.saveFailed,
    [keyOf(CONSENT, { path })],
  )
  const agree = async () => {
    if ((await agreeing.run(undefined)) !== null) succeed(texts.saved)
  }
  return (
    <Card
      title={texts.consent}
      lead={texts.consentLead}
      narrow
      badge={
        known.accepted && (
          <Badge tone="in" icon={<Check />}>
            {texts.accepted}
          </Badge>
        )
      }
    >
      <Facts
        facts={[
          { term: texts.version, value: NOTICE.version },
          { term: texts.date, value: <time dateTime={NOTICE.day}>{day}</time> },
          known.acceptedAt !== null && {
            term: texts.acceptedAt,
            value: <time dateTime={known.acceptedAt}>{moment(known.acceptedAt)}</time>,
          },
          known.acceptedBy !== null && { term: texts.acceptedBy, value: known.acceptedBy },
        ]}
      />
      <ErrorNotice failure={agreeing.failure} />
      <Buttons>
        <Button look="primary" disabled={known.accepted} busy={agreeing.busy} onClick={() => void agree()}>
          {known.accepted ? texts.already : texts.accept}
        </Button>
      </Buttons>
    </Card>
  )
}
