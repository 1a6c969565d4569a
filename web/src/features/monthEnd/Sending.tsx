/** The fourth step: sends the month to all recipients at once, and lists the state of every mail. */
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { type Column, DataTable } from '../../patterns/table/DataTable'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Alert, Check, Clock } from '../../ui/icons'
import { Buttons, Section } from '../../ui/layout'
import { monthName } from '../../ui/months'
import { ErrorNotice } from '../../ui/Notice'
import { EmptyState, Skeleton, SkeletonRows } from '../../ui/states'
import { texts } from './texts'
import { type Mail, momentIn, useMails, useSendNow, useSettings } from './useMonthEnd'

export function Sending({ companyId, month }: { companyId: string; month: string }) {
  const settings = useSettings(companyId)
  const sending = useSendNow(companyId)
  const failure = sending.failure && {
    title: texts.sendFailed(sending.failure.detail),
    detail: texts.sendFailed(sending.failure.detail),
  }
  return (
    <QueryView query={settings} failed={texts.settingsFailed} skeleton={<Skeleton height={60} />}>
      {({ active, recipients, declined, mailAvailable }) => {
        const hasRecipients = active && recipients.length > 0
        const ready = hasRecipients && declined.length < recipients.length
        return (
          <>
            <p>{texts.sendLead(monthName(month))}</p>
            {!mailAvailable && <p className="muted">{texts.noMailServer}</p>}
            {!hasRecipients && <p className="muted">{texts.sendNeeds}</p>}
            {hasRecipients && !ready && <p className="muted">{texts.allDeclined}</p>}
            {ready && declined.length > 0 && (
              <p className="muted">{texts.someDeclined(declined.join(', '))}</p>
            )}
            <Buttons>
              <Button
                look="primary"
                disabled={!ready || sending.busy}
                onClick={async () => (await sending.run(month)) && succeed(texts.triggered)}
              >
                {sending.busy ? texts.sendingNow : texts.sendNow}
              </Button>
            </Buttons>
            <ErrorNotice failure={failure} />
          </>
        )
      }}
    </QueryView>
  )
}

const STATES = {
  waiting: { tone: 'note', icon: Clock },
  sent: { tone: 'in', icon: Check },
  failed: { tone: 'warn', icon: Alert },
} as const

const COLUMNS: Column<Mail>[] = [
  {
    key: 'month',
    head: texts.month,
    names: true,
    sortBy: ({ month }) => month,
    cell: ({ month, draft }) => (draft ? `${monthName(month)} (${texts.draft})` : monthName(month)),
  },
  {
    key: 'at',
    head: texts.at,
    sortBy: ({ at }) => at,
    cell: ({ at }) => <time dateTime={at}>{momentIn(at)}</time>,
  },
  {
    key: 'to',
    head: texts.to,
    sortBy: ({ recipients }) => recipients.join(', '),
    cell: ({ recipients }) => recipients.join(', '),
  },
  {
    key: 'state',
    head: texts.state,
    text: ({ state }) => texts.mailStates[state],
    cell: ({ state, detail }) => {
      const { tone, icon: Icon } = STATES[state]
      return (
        <>
          <Badge tone={tone} icon={<Icon size={14} />}>
            {texts.mailStates[state]}
          </Badge>{' '}
          {detail}
        </>
      )
    },
  },
]

export function Mails({ companyId }: { companyId: string }) {
  const mails = useMails(companyId)
  return (
    <Section title={texts.mails}>
      <QueryView query={mails} failed={texts.mailsFailed} skeleton={<SkeletonRows rows={3} height={40} />}>
        {rows => (
          <DataTable
            caption={texts.mails}
            rows={rows}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            empty={<EmptyState sentence={texts.noMails} />}
          />
        )}
      </QueryView>
    </Section>
  )
}
