/**
 * A hub of modules: a sidebar on wide windows, a bar at the bottom on phones, the chosen module beside it.
 *
 * The module is named in the address (`?tab=`), so that it can be kept, shared and gone back to.
 */
import type { ComponentType, ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useTitle } from '../../ui/PageFrame'
import { EmptyState } from '../../ui/states'
import { texts } from '../texts'
import classes from './ModuleHub.module.css'

export interface Module {
  key: string
  label: string
  /** The word on the phone's bar. */
  short: string
  icon: ComponentType<{ size?: number }>
  content: ReactNode
}

interface ModuleHubProps {
  title: string
  modules: readonly Module[]
  /** What stands in the content while there is no module at all. */
  empty?: ReactNode
  /** What follows the modules on the phone's bar. */
  more?: ReactNode
}

export function ModuleHub({ title, modules, empty, more }: ModuleHubProps) {
  const [search] = useSearchParams()
  const wanted = search.get('tab')
  const chosen = wanted === null ? modules[0] : modules.find(module => module.key === wanted)
  const links = modules.map(module => (
    <li key={module.key}>
      <Link
        to={`?tab=${module.key}`}
        className={classes.link}
        aria-current={module === chosen ? 'page' : undefined}
      >
        <module.icon size={22} />
        <span className={classes.label}>{module.label}</span>
        <span className={classes.short} aria-hidden="true">
          {module.short}
        </span>
      </Link>
    </li>
  ))
  return (
    <div className={classes.hub}>
      <nav className={classes.side} aria-label={title}>
        <p className={classes.title}>{title}</p>
        {modules.length === 0 ? (
          <p className={classes.none}>{texts.noModules}</p>
        ) : (
          <ul>
            {links}
            {more !== undefined && <li className={classes.more}>{more}</li>}
          </ul>
        )}
      </nav>
      <div className={classes.content}>{chosen?.content ?? empty ?? <UnknownModule />}</div>
    </div>
  )
}

function UnknownModule() {
  useTitle(texts.moduleNotFoundTitle)
  return (
    <EmptyState
      sentence={texts.moduleNotFound}
      action={
        <Link to="?" className={classes.back}>
          {texts.toFirstModule}
        </Link>
      }
    />
  )
}
