/** A company's clocks, and the update channel of one clock, a company's, or all. */

import { useState } from 'react'
import { Link } from 'react-router'
import { lastSeenText, nameOf, pageOfClock, State } from '../../entities/clocks/clocks'
import { OfCompany } from '../../entities/companies/OfCompany'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import type { Acting } from '../../patterns/useAct'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Buttons, Section } from '../../ui/layout'
import { ErrorNotice } from '../../ui/Notice'
import { EmptyState } from '../../ui/states'
import type { PageProps } from '../feature'
import { Releases, Rollouts, WhereIs } from './Rollouts'
import { Signatures } from './Signatures'
import { texts } from './texts'
import { texts as updateTexts } from './updateTexts'
import {
  type Channel,
  type Clock,
  useClocks,
  useCompanyClocks,
  useSetAllChannels,
  useSetChannel,
  useSetCompanyChannel,
} from './useFleet'

const ID: Column<Clock> = {
  key: 'id',
  head: texts.id,
  cell: clock => <Link to={pageOfClock(clock.id)}>{nameOf(clock)}</Link>,
  sortBy: nameOf,
  names: true,
}
const SERIAL: Column<Clock> = {
  key: 'serial',
  head: texts.serial,
  cell: ({ serial }) => serial,
  sortBy: ({ serial }) => serial,
}
const ONLINE: Column<Clock> = {
  key: 'online',
  head: texts.state,
  cell: ({ online }) => <State online={online} />,
  sortBy: ({ online }) => (online ? texts.online : texts.away),
}
const VERSION: Column<Clock> = {
  key: 'version',
  head: texts.version,
  cell: ({ version }) => version || texts.unknown,
  sortBy: ({ version }) => version,
}
const LAST_SEEN: Column<Clock> = {
  key: 'seen',
  head: texts.lastSeen,
  cell: ({ lastSeen }) => lastSeenText(lastSeen),
  sortBy: ({ lastSeen }) => lastSeen ?? '',
}
const COMPANY: Column<Clock> = {
  key: 'company',
  head: texts.company,
  cell: ({ companyName }) => companyName ?? texts.nobody,
  sortBy: ({ companyName }) => companyName ?? '',
}
const CHANNEL: Column<Clock> = {
  key: 'channel',
  head: texts.channel,
  cell: ({ channel }) => channel,
  sortBy: ({ channel }) => channel,
}
const OVERVIEW = [ID, SERIAL, ONLINE, VERSION, LAST_SEEN, CHANNEL]

export const OverviewPage = () => (
  <Page title={texts.overviewTitle} lead={texts.overviewLead} offline={texts.offline}>
    <OfCompany skeleton={<TableSkeleton columns={OVERVIEW} />}>
      {company => <CompanyClocks companyId={company.id} />}
    </OfCompany>
  </Page>
)

function CompanyClocks({ companyId }: { companyId: string }) {
  const clocks = useCompanyClocks(companyId)
  return (
    <QueryView query={clocks} failed={texts.clocksFailed} skeleton={<TableSkeleton columns={OVERVIEW} />}>
      {rows => (
        <DataTable
          caption={texts.overviewTitle}
          rows={rows}
          columns={OVERVIEW}
          keyOf={({ id }) => id}
          csv={texts.overviewTitle}
          empty={<EmptyState sentence={texts.overviewEmpty} />}
        />
      )}
    </QueryView>
  )
}

export function UpdatesPage({ session }: PageProps) {
  return (
    <Page title={texts.updatesTitle} lead={texts.updatesLead} offline={texts.offline}>
      {session.role === 'admin' ? (
        <>
          <Rollouts />
          <Releases />
          <Signatures />
          <Updates />
        </>
      ) : (
        <EmptyState sentence={texts.adminsOnly} />
      )}
    </Page>
  )
}

function Updates() {
  const clocks = useClocks()
  const setting = useSetChannel()
  const setAll = useSetAllChannels()
  const toggle = async (clock: Clock) => {
    const channel = clock.channel === 'beta' ? 'stable' : 'beta'
    const done = await setting.run({ id: clock.id, channel })
    if (done !== null) succeed(texts.channelSet(nameOf(clock), channel))
  }
  const columns: Column<Clock>[] = [
    ID,
    COMPANY,
    ONLINE,
    VERSION,
    CHANNEL,
    {
      key: 'act',
      head: texts.actions,
      acts: true,
      cell: clock => {
        const beta = clock.channel === 'beta'
        return (
          <Button
            aria-label={texts.toChannelOf(beta ? 'stable' : 'beta', nameOf(clock))}
            onClick={() => void toggle(clock)}
          >
            {beta ? texts.toStable : texts.toBeta}
          </Button>
        )
      },
    },
  ]
  return (
    <QueryView query={clocks} failed={texts.clocksFailed} skeleton={<TableSkeleton columns={columns} />}>
      {rows => (
        <>
          <WhereIs clocks={rows} />
          <Section title={updateTexts.channels}>
            <ErrorNotice failure={setting.failure} />
            <DataTable
              caption={updateTexts.channels}
              rows={rows}
              columns={columns}
              keyOf={({ id }) => id}
              search={{ label: texts.search, hint: texts.searchHint, matches, nothing: texts.nothing }}
              tools={<Bulk clocks={rows} acting={setAll} />}
              empty={<EmptyState sentence={texts.noClocks} />}
            />
          </Section>
        </>
      )}
    </QueryView>
  )
}

function matches({ name, serial, companyName, version, channel }: Clock, words: string): boolean {
  const needle = words.trim().toLocaleLowerCase('de')
  return [name, serial, companyName ?? '', version, channel].some(text =>
    text.toLocaleLowerCase('de').includes(needle),
  )
}

interface BulkProps {
  clocks: readonly Clock[]
  acting: Acting<Channel, { changed: number }>
}

function Bulk({ clocks, acting }: BulkProps) {
  const [asked, ask] = useState<Channel | null>(null)
  return (
    <Buttons>
      <Button onClick={() => ask('stable')}>{texts.allStable}</Button>
      <Button onClick={() => ask('beta')}>{texts.allBeta}</Button>
      {asked !== null && (
        <ConfirmDialog
          title={texts.allQuestion(asked)}
          consequences={texts.allConsequences(
            asked,
            clocks.filter(({ channel }) => channel !== asked).length,
          )}
          confirm={asked === 'beta' ? texts.allBeta : texts.allStable}
          acting={acting}
          input={asked}
          done={({ changed }) => succeed(texts.changed(changed))}
          onClose={() => ask(null)}
        />
      )}
    </Buttons>
  )
}

export const CompanyChannelPage = () => (
  <Page title={texts.companyTitle} lead={texts.companyLead} offline={texts.offline}>
    <OfCompany skeleton={<TableSkeleton columns={OVERVIEW} />}>
      {company => <CompanyChannel companyId={company.id} />}
    </OfCompany>
  </Page>
)

function CompanyChannel({ companyId }: { companyId: string }) {
  const clocks = useCompanyClocks(companyId)
  const acting = useSetCompanyChannel(companyId)
  return (
    <QueryView query={clocks} failed={texts.clocksFailed} skeleton={<TableSkeleton columns={OVERVIEW} />}>
      {rows => {
        const beta = rows.filter(({ channel }) => channel === 'beta').length
        return rows.length === 0 ? (
          <EmptyState sentence={texts.overviewEmpty} />
        ) : (
          <>
            <p>{texts.companyHas(rows.length - beta, beta)}</p>
            <Bulk clocks={rows} acting={acting} />
            <DataTable caption={texts.companyTitle} rows={rows} columns={OVERVIEW} keyOf={({ id }) => id} />
          </>
        )
      }}
    </QueryView>
  )
}
