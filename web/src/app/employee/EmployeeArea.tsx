/** The employee's area: the pages that features declare for it. */
import { useSession } from '../../api/session'
import { ModuleHub } from '../frame/ModuleHub'
import { pagesOf } from '../pages'
import { texts } from '../texts'

export function EmployeeArea() {
  const session = useSession()
  if (session === null) return null
  const modules = pagesOf('employee', session)
  return <ModuleHub title={texts.employeeArea} modules={modules} username={session.username} />
}
