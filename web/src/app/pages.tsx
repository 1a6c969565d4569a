/** The pages that features declare, as the hubs show them. */
import { currentSession, type Session } from '../api/session'
import type { Page } from '../features/feature'
import { FEATURES } from './features'
import { dressed, fetched } from './fetched'
import type { Module } from './frame/ModuleHub'

const PAGES = FEATURES.flatMap(({ pages = [] }) => pages).map(page => ({
  ...page,
  Content: fetched(page.bare === true ? page.load : dressed(page.load)),
}))

/** The pages of an area that stand under a module of the company, or those that always show. */
export function pagesOf(area: Page['area'], session: Session, under: 'module' | 'none' = 'none'): PageOf[] {
  return PAGES.filter(page => page.area === area && (page.module !== undefined) === (under === 'module')).map(
    ({ Content, ...page }) => ({ ...page, content: <Content session={session} /> }),
  )
}

type PageOf = Module & Pick<Page, 'module'>

/** The page that the address names is fetched with the menus, and not only once they stand. */
function prepareNamed() {
  const role = currentSession()?.role
  const area = role === 'admin' ? 'admin' : role === 'companyAdmin' ? 'company' : 'employee'
  const named = new URLSearchParams(window.location.search).get('tab')
  const page = PAGES.find(each => each.area === area && (named === null || named === each.key))
  page?.Content.prepare()
}

prepareNamed()
