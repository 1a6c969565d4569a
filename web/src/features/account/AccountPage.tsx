/** "Login & Passwort": the own login data, password, authenticator and sessions; the same page for every role. */
import { useSession } from '../../api/session'
import { useOwnCompany } from '../../entities/companies/useOwnCompany'
import { Page } from '../../patterns/Page'
import { Copyable } from '../../ui/Copyable'
import type { PageProps } from '../feature'
import { AuthenticatorCard } from './AuthenticatorCard'
import { Card } from './Card'
import classes from './Card.module.css'
import { PasswordCard } from './PasswordCard'
import { SessionsCard } from './SessionsCard'
import { texts } from './texts'

export const LoginDataPage = () => <AccountPage title={texts.titleOfData} />

export function AccountPage({ title = texts.title }: Partial<PageProps> & { title?: string }) {
  const session = useSession()
  const company = useOwnCompany()
  if (session === null) return null
  const { userId, username, companyId } = session
  return (
    <Page title={title} lead={texts.lead} offline={texts.offline}>
      <Card title={texts.data}>
        <dl className={classes.facts}>
          {company !== null && (
            <>
              <dt>{texts.company}</dt>
              <dd>{company}</dd>
            </>
          )}
          <dt>{texts.username}</dt>
          <dd>{username}</dd>
          <dt>{texts.companyId}</dt>
          <dd className={classes.aside}>
            <Copyable text={companyId} label={texts.companyId} />
            <p className={classes.hint}>{texts.companyIdHint}</p>
          </dd>
        </dl>
      </Card>
      <PasswordCard userId={userId} username={username} />
      <AuthenticatorCard userId={userId} username={username} />
      <SessionsCard userId={userId} />
    </Page>
  )
}
