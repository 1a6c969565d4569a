/** The area of a works council member: their own pages as an employee, with the council's below. */
import type { Session } from '../../api/session'
import { FEATURES } from '../features'
import { type Module, ModuleHub } from '../frame/ModuleHub'
import { declaredFor, pagesOf } from '../pages'
import { texts } from '../texts'
import { texts as councilTexts } from './texts'

const PAGES = declaredFor('council', FEATURES)

export function CouncilArea({ session, own }: { session: Session; own: readonly Module[] }) {
  const read = pagesOf(PAGES, session).map(page => ({ ...page, group: councilTexts.council }))
  return <ModuleHub title={texts.employeeArea} modules={[...own, ...read]} username={session.username} />
}
