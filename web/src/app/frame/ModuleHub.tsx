/**
 * A hub of modules: a sidebar on wide windows, a bar at the bottom on phones, with the chosen module.
 *
 * The address names the module (`?tab=`), so that it can be bookmarked, shared and gone back to. The bar has room for
 * five: the rest is in its last entry, "Mehr", with the logout.
 */
import { type ComponentType, type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useClockAhead } from '../../api/serviceClock'
import { useOwnZone } from '../../entities/companies/useOwnCompany'
import { currentHold } from '../../ui/leaving'
import { PageFrame } from '../../ui/PageFrame'
import { EmptyState } from '../../ui/states'
import { texts } from '../texts'
import classes from './ModuleHub.module.css'
import { MoreMenu } from './MoreMenu'

export interface Module {
  key: string
  label: string
  /** The label on the phone's bar. */
  short: string
  icon: ComponentType<{ size?: number }>
  content: ReactNode
  /** Whether it is in "Mehr" even if the bar has room. */
  aside?: boolean
  /** The number of waiting items. */
  mark?: ReactNode
  /** The heading of its group, shared by neighbouring modules. */
  group?: string
  /** Whether it is rarely needed, and smaller. */
  small?: boolean
}

/** The fifth entry of the bar is "Mehr". */
const ON_THE_BAR = 4

interface ModuleHubProps {
  title: string
  modules: readonly Module[]
  /** The user named in the phone's "Mehr". */
  username: string
  /** Parameters of the address that stay when the module changes. */
  keep?: readonly string[]
  /** A state above the modules: they are loading, or failed to load. */
  state?: ReactNode
  /** The module that shows when the address names no module; the first, if it does not exist. */
  preselected?: string
  /** Content above the chosen module. */
  above?: ReactNode
  /** The placeholder until the first module is known. */
  pending?: ReactNode
}

export function ModuleHub(props: ModuleHubProps) {
  const { title, modules, username, keep = [], state, preselected, above, pending } = props
  const [search] = useSearchParams()
  const zone = useOwnZone()
  const clock = useShownClock()
  const wantedTab = search.get('tab')
  /** The first shown module stays if the address names no module: the user may be typing there. */
  const [first, setFirst] = useState<string>()
  const namedModule = modules.find(module => module.key === (wantedTab ?? first ?? preselected))
  const chosenModule = namedModule ?? (wantedTab === null && pending === undefined ? modules[0] : undefined)
  if (wantedTab === null && chosenModule !== undefined && chosenModule.key !== first)
    setFirst(chosenModule.key)
  const onTheBar = modules.filter(({ aside = false }) => !aside).slice(0, ON_THE_BAR)
  const entries = modules.map(module => ({
    ...module,
    to: addressOf(module.key, search, keep),
    current: module === chosenModule,
    beyond: !onTheBar.includes(module),
  }))
  return (
    <div className={classes.hub}>
      <nav className={classes.side} aria-label={title}>
        <p className={classes.title}>{title}</p>
        {state !== undefined && <div className={classes.state}>{state}</div>}
        <ul>
          {entries.map((entry, index) => (
            <li
              key={entry.key}
              className={`${entry.beyond ? classes.beyond : ''} ${entry.small ? classes.small : ''}`}
              data-begins={entry.group !== entries[index - 1]?.group || undefined}
            >
              {entry.group !== undefined && entry.group !== entries[index - 1]?.group && (
                <p className={classes.group}>{entry.group}</p>
              )}
              <Link to={entry.to} className={classes.link} aria-current={entry.current ? 'page' : undefined}>
                <span className={classes.icon}>
                  <entry.icon size={22} />
                  {entry.mark}
                </span>
                <span className={classes.label}>{entry.label}</span>
                <span className={classes.short} aria-hidden="true">
                  {entry.short}
                </span>
              </Link>
            </li>
          ))}
          <li className={classes.more}>
            <MoreMenu username={username} entries={entries.filter(entry => entry.beyond)} />
          </li>
        </ul>
      </nav>
      <div key={zone + clock} className={classes.content}>
        {above}
        {chosenModule?.content ?? pending ?? <UnknownModule />}
      </div>
    </div>
  )
}

/**
 * Returns the error of the device's clock, as a key of the content: a page restarts when it changes, but not while it
 * holds input.
 */
function useShownClock(): number {
  const ahead = useClockAhead()
  const [shown, setShown] = useState(ahead)
  if (shown !== ahead && currentHold() === null) setShown(ahead)
  return shown
}

/** The finder's target. */
export const targetOf = ({ key, label }: Module) => ({ to: `?tab=${key}`, label })

function addressOf(key: string, search: URLSearchParams, keep: readonly string[]): string {
  const next = new URLSearchParams({ tab: key })
  for (const name of keep) {
    const value = search.get(name)
    if (value !== null) next.set(name, value)
  }
  return `?${next}`
}

function UnknownModule() {
  return (
    <PageFrame title={texts.moduleNotFoundTitle}>
      <EmptyState
        sentence={texts.moduleNotFound}
        action={
          <Link to="?" className={classes.back}>
            {texts.toFirstModule}
          </Link>
        }
      />
    </PageFrame>
  )
}
