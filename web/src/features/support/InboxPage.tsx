/** "Support-Nachrichten": companies' questions, with the logs of their clocks, and the operator's answers. */
import { useState } from 'react'
import { Older } from '../../patterns/Older'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'

import { Badge } from '../../ui/Badge'
import { CardList, Facts, Fold, Toolbar } from '../../ui/layout'
import { ErrorNotice } from '../../ui/Notice'
import { Select } from '../../ui/Select'
import { EmptyState, SkeletonRows } from '../../ui/states'
import classes from './support.module.css'
import { momentOf, Thread } from './Thread'
import { type Status, texts } from './texts'
import { type Received, useInbox, useStatus } from './useSupport'

const STATUSES = Object.entries(texts.statuses).map(([value, label]) => ({ value: value as Status, label }))
const FILTERS = [...STATUSES, { value: 'all' as const, label: texts.all }]

export function InboxPage() {
  const [status, show] = useState<Status | 'all'>('open')
  const inbox = useInbox(status)
  return (
    <Page title={texts.inbox} lead={texts.inboxLead}>
      <Toolbar>
        <Select label={texts.filter} data={FILTERS} value={status} onChange={show} />
      </Toolbar>
      <QueryView query={inbox.rows} failed={texts.failed} skeleton={<SkeletonRows height={96} />}>
        {received =>
          received.length === 0 ? (
            <EmptyState sentence={texts.inboxEmpty} />
          ) : (
            <CardList label={texts.inbox} items={received} keyOf={({ id }) => id}>
              {one => <Entry one={one} />}
            </CardList>
          )
        }
      </QueryView>
      <Older list={inbox.list} texts={texts} />
    </Page>
  )
}

function Entry({ one }: { one: Received }) {
  const changing = useStatus(one.id)
  return (
    <>
      <span className={classes.line}>
        <strong>{one.subject}</strong>
        <Badge tone={one.priority === 'high' || one.priority === 'urgent' ? 'warn' : 'note'}>
          {texts.priorities[one.priority]}
        </Badge>
      </span>
      <Select
        label={texts.status}
        data={STATUSES}
        value={one.status}
        onChange={next => void changing.run(next)}
        maw={260}
      />
      {changing.failure !== null && <ErrorNotice failure={changing.failure} />}
      <Facts
        facts={[
          { term: texts.category, value: texts.categories[one.category] },
          {
            term: texts.contact,
            value:
              one.contactEmail === null ? (
                texts.noContact
              ) : (
                <a href={`mailto:${one.contactEmail}`}>{one.contactEmail}</a>
              ),
          },
        ]}
      />
      {one.includeLogs && <Logs one={one} />}
      <Thread asked={one} by={one.companyName} />
    </>
  )
}

function Logs({ one: { logs } }: { one: Received }) {
  return (
    <Fold line={texts.logsAttached}>
      <p className="muted">{logs.length === 0 ? texts.noLogs : texts.logs(logs.length)}</p>
      {logs.length > 0 && (
        <pre className={classes.logs}>
          {logs
            .map(line => `${momentOf(line.createdAt)}  #${line.deviceId.slice(-6)}  ${line.logMessage}`)
            .join('\n')}
        </pre>
      )}
    </Fold>
  )
}
