/** The company administrator's hub; its modules are registered here. */
import { Link } from 'react-router'
import { useSession } from '../../api/session'
import { PageFrame } from '../../ui/PageFrame'
import { EmptyState } from '../../ui/states'
import { ModuleHub } from '../frame/ModuleHub'
import { texts } from '../texts'

export default function CompanyArea() {
  const session = useSession()
  if (session === null) return null
  const empty = (
    <PageFrame title={texts.companyDashboard} lead={texts.companyWelcome(session.username)}>
      <EmptyState sentence={texts.companyEmpty} action={<Link to="/services">{texts.toServices}</Link>} />
    </PageFrame>
  )
  return <ModuleHub title={texts.companyHub} modules={[]} username={session.username} empty={empty} />
}
