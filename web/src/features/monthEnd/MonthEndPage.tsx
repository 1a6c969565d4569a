/** "Daten Export": a month's payroll export in four steps, and the recipients of the monthly mail. */
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { MonthPage } from '../../patterns/MonthPage'
import { QueryView } from '../../patterns/QueryView'
import { Badge } from '../../ui/Badge'
import { Check } from '../../ui/icons'
import { Card, CardList, Fold } from '../../ui/layout'
import { Skeleton } from '../../ui/states'
import type { PageProps } from '../feature'
import { Checking, isOfMapping, isOpen } from './Checking'
import { Downloads } from './Downloads'
import { Exporting } from './Exporting'
import { Inspection } from './Inspection'
import { Locking } from './Locking'
import { MailSettings } from './MailSettings'
import { Mails, Sending } from './Sending'
import { texts } from './texts'
import {
  type Finding,
  momentIn,
  paths,
  useBlocked,
  useCheck,
  useKept,
  useLock,
  useMails,
  useMonth,
} from './useMonthEnd'

export function MonthEndPage({ session: { companyId } }: PageProps) {
  const [month, show] = useMonth()
  const [search] = useSearchParams()
  const mail = search.get('mail')
  const scope = { companyId, month }
  const check = useCheck(companyId, month)
  const lock = useLock(companyId, month)
  const locked = lock.data?.lockedAt != null
  const open = check.data?.filter(isOpen)
  const blocked = useBlocked(companyId, month, check.data)
  return (
    <MonthPage title={texts.title} lead={texts.lead} month={month} onMonth={show} live={check.live}>
      {mail !== null && (
        <Card title={texts.mailed} lead={texts.mailedLead} narrow>
          <Downloads files={[{ key: mail, label: texts.fetch, path: paths.mailed(companyId, mail) }]} />
        </Card>
      )}
      <Step
        number={1}
        title={texts.check}
        badge={open && <OpenBadge open={open} />}
        done={check.data?.length === 0 && texts.nothingOpen}
      >
        <QueryView query={check} failed={texts.checkFailed} skeleton={<Skeleton height={120} />}>
          {found => <Checking {...scope} findings={found} />}
        </QueryView>
      </Step>
      <QueryView query={lock} failed={texts.lockFailed} skeleton={<Skeleton height={120} />}>
        {found => <Locking key={month} {...scope} lock={found} findings={check.data ?? []} step={Step} />}
      </QueryView>
      <Step number={3} title={texts.make} badge={<Exported {...scope} />}>
        <Exporting
          key={month}
          {...scope}
          locked={locked}
          blocked={blocked}
          // A finding about wage types has the button in step 1.
          editable={check.data?.some(isOfMapping) === false}
        />
      </Step>
      <Step number={4} title={texts.send} badge={<Sent {...scope} />}>
        <Sending {...scope} />
      </Step>
      <MailSettings companyId={companyId} />
      <Mails companyId={companyId} />
      <Inspection key={month} {...scope} />
    </MonthPage>
  )
}

function OpenBadge({ open }: { open: readonly Finding[] }) {
  return open.length === 0 ? <Done words={texts.nothingOpen} /> : <Badge tone="warn">{openOf(open)}</Badge>
}

const DECIDED = new Set(['pending_correction', 'held_stamps'])
const openOf = (open: readonly { code: string }[]) =>
  texts.open(open.length, open.filter(({ code }) => DECIDED.has(code)).length)

interface About {
  companyId: string
  month: string
}

/** The latest file, while it matches the month. The step stays: another file may be needed. */
function Exported({ companyId, month }: About) {
  const lastExport = useKept(companyId).data?.find(one => one.month === month && !one.draft)
  if (lastExport === undefined || lastExport.changed) return null
  return (
    <Done
      words={texts.exportedAt(
        texts.download[lastExport.format] ?? lastExport.format,
        momentIn(lastExport.createdAt),
      )}
    />
  )
}

function Sent({ companyId, month }: About) {
  const sent = useMails(companyId).data?.find(
    one => one.month === month && !one.draft && one.state === 'sent',
  )
  return sent === undefined ? null : <Done words={texts.sentAt(momentIn(sent.at))} />
}

const Done = ({ words }: { words: string }) => (
  <Badge tone="in" icon={<Check size={14} />}>
    {words}
  </Badge>
)

export interface StepProps {
  number: number
  title: string
  badge?: ReactNode
  /** The summary of a finished step, which is folded. */
  done?: string | false | undefined
  children?: ReactNode
}

function Step({ number, title, badge, done, children }: StepProps) {
  const name = texts.step(number, title)
  if (!done)
    return (
      <Card title={name} badge={badge}>
        {children}
      </Card>
    )
  return (
    <CardList items={[name]} keyOf={one => one} look="joined">
      {() => (
        <Fold
          line={
            <>
              <strong>{name}</strong> <Done words={done} />
            </>
          }
        >
          {children}
        </Fold>
      )}
    </CardList>
  )
}
