/** The employee's area: the pages that features declare for it. */
import { useSession } from '../../api/session'
import { ModuleHub } from '../frame/ModuleHub'
import { declaredFor, pagesOf } from '../pages'
import { texts } from '../texts'
import { OF_EMPLOYEES } from './features'

const PAGES = declaredFor('employee', OF_EMPLOYEES)

export function EmployeeArea() {
  const session = useSession()
  if (session === null) return null
  const modules = pagesOf(PAGES, session)
  return <ModuleHub title={texts.employeeArea} modules={modules} username={session.username} />
}
