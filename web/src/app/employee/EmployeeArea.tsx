/** The employee's area: the pages that features declare for it, and the read-only pages of works council members. */
import { useSession } from '../../api/session'
import { fetched } from '../../patterns/fetched'
import { ModuleHub } from '../frame/ModuleHub'
import { declaredFor, pagesOf } from '../pages'
import { texts } from '../texts'
import { OF_EMPLOYEES } from './features'

const PAGES = declaredFor('employee', OF_EMPLOYEES)
const CouncilArea = fetched(async () => (await import('../council/CouncilArea')).CouncilArea)

export function EmployeeArea() {
  const session = useSession()
  if (session === null) return null
  const modules = pagesOf(PAGES, session)
  if (session.worksCouncil) return <CouncilArea session={session} own={modules} />
  return <ModuleHub title={texts.employeeArea} modules={modules} username={session.username} />
}
