/** Somebody's name, which leads an administrator to them where their company has the page of its people. */
import { Link } from 'react-router'
import { useSession } from '../../api/session'
import { useModules } from '../modules/useModules'

const PAGE = 'manage_employees'

export function PersonLink({ userId, username }: { userId: string; username: string }) {
  const session = useSession()
  const leads = useHas(PAGE) && session?.role === 'companyAdmin'
  return leads ? <Link to={`?tab=${PAGE}&person=${userId}`}>{username}</Link> : username
}

/** Whether the own company has a module; false until it is known. */
export function useHas(module: string): boolean {
  const { data } = useModules(useSession()?.companyId ?? '')
  return data?.some(({ key }) => key === module) === true
}
