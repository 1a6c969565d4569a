/** "Geräteverzeichnis": every clock as a card; the address can select a single clock (`?uhr=`). */

import { useDeferredValue, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { nameOf, pageOfClock, State, Warnings } from '../../entities/clocks/clocks'
import { Older } from '../../patterns/Older'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { Button } from '../../ui/Button'
import { SearchInput } from '../../ui/fields'
import { Plus } from '../../ui/icons'
import { Buttons, Card, Facts, Toolbar } from '../../ui/layout'
import { Select } from '../../ui/Select'
import { EmptyState, SkeletonRows } from '../../ui/states'
import { ClaimDialog, type DeviceAction, DeviceDialog } from './DeviceDialogs'
import { DevicePage } from './DevicePage'
import classes from './fleet.module.css'
import { Acts, type ActsProps, factsOf } from './parts'
import { texts } from './texts'
import { type Device, type Filter, useRegistry } from './useFleet'

const FILTERS = Object.entries(texts.filters).map(([value, label]) => ({ value: value as Filter, label }))

export function RegistryPage() {
  const [search] = useSearchParams()
  const id = search.get('uhr')
  return id === null ? <Registry /> : <DevicePage key={id} id={id} />
}

function Registry() {
  const [filter, setFilter] = useState<Filter>('unassigned')
  const [words, setWords] = useState('')
  const sought = useDeferredValue(words.trim())
  // A search covers every clock in use: an operator who looks for one need not know its company.
  const shownFilter = sought !== '' && filter === 'unassigned' ? 'all' : filter
  const { list, rows } = useRegistry(shownFilter, sought)
  const [asked, ask] = useState<{ deed: DeviceAction; device: Device } | 'claim' | null>(null)
  const close = () => ask(null)
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      offline={texts.offline}
      actions={
        <Button look="primary" icon={<Plus size={18} />} onClick={() => ask('claim')}>
          {texts.claim}
        </Button>
      }
    >
      <Toolbar>
        <SearchInput
          className={classes.search ?? ''}
          label={texts.search}
          placeholder={texts.searchHint}
          value={words}
          onChange={setWords}
        />
      </Toolbar>
      {words.trim() === '' ? (
        <div className={classes.filter}>
          <Select label={texts.filter} data={FILTERS} value={filter} onChange={setFilter} />
        </div>
      ) : (
        <p className="muted" role="status">
          {texts.searched[shownFilter]}
        </p>
      )}
      <QueryView query={rows} failed={texts.failed} skeleton={<SkeletonRows rows={3} height={220} />}>
        {devices => (
          <>
            {devices.length === 0 ? (
              <EmptyRegistry filter={shownFilter} sought={sought !== ''} onFilter={setFilter} />
            ) : (
              // biome-ignore lint/a11y/noRedundantRoles: without its marks Safari takes it for no list
              <ul role="list" className={classes.grid} aria-label={texts.list}>
                {devices.map(device => (
                  <li key={device.id}>
                    <DeviceCard
                      device={device}
                      withdrawn={shownFilter === 'withdrawn'}
                      onAsk={deed => ask({ deed, device })}
                    />
                  </li>
                ))}
              </ul>
            )}
            <Older list={list} texts={texts} />
            {sought !== '' && devices.length > 0 && <OtherSearch shown={shownFilter} onFilter={setFilter} />}
          </>
        )}
      </QueryView>
      {asked === 'claim' && <ClaimDialog onClose={close} />}
      {asked !== null && asked !== 'claim' && <DeviceDialog {...asked} onClose={close} />}
    </Page>
  )
}

interface NothingProps {
  filter: Filter
  sought: boolean
  onFilter: (filter: Filter) => void
}

/** An empty list. A search without a match among clocks in use suggests the others. */
function EmptyRegistry({ filter, sought, onFilter }: NothingProps) {
  if (!sought) return <EmptyState sentence={texts.empty[filter]} />
  return <EmptyState sentence={texts.nothing} action={<OtherSearch shown={filter} onFilter={onFilter} />} />
}

/** A search covers either the clocks in use or the others: this button searches the rest. */
function OtherSearch({ shown, onFilter }: { shown: Filter; onFilter: (filter: Filter) => void }) {
  const otherFilter = shown === 'withdrawn' ? 'all' : 'withdrawn'
  return <Button onClick={() => onFilter(otherFilter)}>{texts.searchIn[otherFilter]}</Button>
}

function DeviceCard({ device, withdrawn, onAsk }: ActsProps & { withdrawn: boolean }) {
  return (
    <Card title={nameOf(device)} badge={<State online={device.isOnline} />}>
      <Warnings device={device} told={texts} />
      <Facts
        facts={factsOf(
          device,
          <Link to={pageOfClock(device.id)} aria-label={texts.showOf(device.serial)}>
            {device.serial}
          </Link>,
        )}
      />
      {!withdrawn && (
        <Buttons>
          <Acts device={device} onAsk={onAsk} />
        </Buttons>
      )}
    </Card>
  )
}
