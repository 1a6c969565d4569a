/** The system administrator's panel; its modules are registered here. */
import { Link } from 'react-router'
import { useSession } from '../../api/session'
import { PageFrame } from '../../ui/PageFrame'
import { EmptyState } from '../../ui/states'
import { ModuleHub } from '../frame/ModuleHub'
import { texts } from '../texts'

export default function AdminArea() {
  const session = useSession()
  if (session === null) return null
  const empty = (
    <PageFrame title={texts.adminPanel} lead={texts.companyWelcome(session.username)}>
      <EmptyState sentence={texts.adminEmpty} action={<Link to="/newsletter">{texts.toNews}</Link>} />
    </PageFrame>
  )
  return <ModuleHub title={texts.adminHub} modules={[]} username={session.username} empty={empty} />
}
