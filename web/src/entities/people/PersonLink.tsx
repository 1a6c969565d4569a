/** A person's name, which links administrators to the person's page if the company has the module. */
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

/** The same for long lists, which check once whether names are links. */
export function Name({ userId, username, leads }: NamedProps & { leads: boolean }) {
  return leads ? <Link to={`?tab=${PAGE}&person=${userId}`}>{username}</Link> : username
}

export function useLeads(): boolean {
  const session = useSession()
  return useHas(PAGE) && session?.role === 'companyAdmin'
}

/** Whether the user's company has a module; false until known. */
export function useHas(module: string): boolean {
  const { data } = useModules(useSession()?.companyId ?? '')
  return data?.some(({ key }) => key === module) === true
}
