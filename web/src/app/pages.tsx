/** The features' pages for the hubs. */
import { currentSession, type Session } from '../api/session'
import type { Feature, Page, PageProps } from '../features/feature'
import { type Fetched, fetched, withMantine } from '../patterns/fetched'
import { CountMark } from './frame/CountMark'
import type { Module } from './frame/ModuleHub'

/** Returns the pages that features declare for an area. The page in the address is fetched at once, with the menus. */
export function declaredFor(area: Page['area'], features: readonly Feature[]): Declared[] {
  const pages = features
    .flatMap(({ pages: all = [] }) => all)
    .filter(page => page.area === area)
    .map(page => ({ ...page, Content: fetched(page.bare === true ? page.load : withMantine(page.load)) }))
  const tab = new URLSearchParams(window.location.search).get('tab')
  if (currentArea() === area) pages.find(({ key }) => tab === null || tab === key)?.Content.prepare()
  return pages
}

/** The area's pages that belong to an enabled module of the company, and those that always show. */
export function pagesOf(
  pages: readonly Declared[],
  session: Session,
  under: 'module' | 'none' = 'none',
): PageOf[] {
  return pages
    .filter(page => (page.module !== undefined) === (under === 'module'))
    .map(({ Content, useWaiting, ...page }) => ({
      ...page,
      content: <Content session={session} />,
      mark: useWaiting === undefined ? null : <Mark useWaiting={useWaiting} session={session} />,
    }))
}

type Declared = Page & { Content: Fetched<PageProps> }

function currentArea(): Page['area'] {
  const role = currentSession()?.role
  return role === 'admin' ? 'admin' : role === 'companyAdmin' ? 'company' : 'employee'
}

interface MarkProps {
  useWaiting: NonNullable<Page['useWaiting']>
  session: Session
}

/** The number of waiting items of a page, next to its name in the menu. */
function Mark({ useWaiting, session }: MarkProps) {
  const { count, words } = useWaiting(session)
  return count === 0 ? null : <CountMark count={count} words={words} />
}

type PageOf = Module & Pick<Page, 'module' | 'stamping'>
