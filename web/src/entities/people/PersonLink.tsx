/** Somebody's name, which leads an administrator to them where their company has the page of its people. */
import { Link } from 'react-router'
import { useSession } from '../../api/session'
import { useModules } from '../modules/useModules'

const PAGE = 'manage_employees'

interface NamedProps {
  userId: string
  username: string
}

export function PersonLink(props: NamedProps) {
  return <Name {...props} leads={useLeads()} />
}

/** The same in a long list, which asks once for all whether names lead anywhere. */
export function Name({ userId, username, leads }: NamedProps & { leads: boolean }) {
  return leads ? <Link to={`?tab=${PAGE}&person=${userId}`}>{username}</Link> : username
}

export function useLeads(): boolean {
  const session = useSession()
  return useHas(PAGE) && session?.role === 'companyAdmin'
}

/** Whether the own company has a module; false until it is known. */
export function useHas(module: string): boolean {
  const { data } = useModules(useSession()?.companyId ?? '')
  return data?.some(({ key }) => key === module) === true
}
