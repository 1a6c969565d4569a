/** The pages that features declare, as the hubs show them. */
import { currentSession, type Session } from '../api/session'
import type { Page } from '../features/feature'
import { dressed, fetched } from '../patterns/fetched'
import { FEATURES } from './features'
import { CountMark } from './frame/CountMark'
import type { Module } from './frame/ModuleHub'

const PAGES = FEATURES.flatMap(({ pages = [] }) => pages).map(page => ({
  ...page,
  Content: fetched(page.bare === true ? page.load : dressed(page.load)),
}))

/** The pages of an area that stand under a module of the company, or those that always show. */
export function pagesOf(area: Page['area'], session: Session, under: 'module' | 'none' = 'none'): PageOf[] {
  return PAGES.filter(page => page.area === area && (page.module !== undefined) === (under === 'module')).map(
    ({ Content, useWaiting, ...page }) => ({
      ...page,
      content: <Content session={session} />,
      mark: useWaiting === undefined ? null : <Mark useWaiting={useWaiting} session={session} />,
    }),
  )
}

interface MarkProps {
  useWaiting: NonNullable<Page['useWaiting']>
  session: Session
}

/** How many things wait on a page, at its name in the menu. */
function Mark({ useWaiting, session }: MarkProps) {
  const { count, words } = useWaiting(session)
  return count === 0 ? null : <CountMark count={count} words={words} />
}

type PageOf = Module & Pick<Page, 'module' | 'stamping'>

/** The page that the address names is fetched with the menus, and not only once they stand. */
function prepareNamed() {
  const role = currentSession()?.role
  const area = role === 'admin' ? 'admin' : role === 'companyAdmin' ? 'company' : 'employee'
  const named = new URLSearchParams(window.location.search).get('tab')
  const page = PAGES.find(each => each.area === area && (named === null || named === each.key))
  page?.Content.prepare()
}

prepareNamed()
