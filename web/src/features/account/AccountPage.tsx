/** "Login & Passwort": the user's login data, password, authenticator and sessions; the same page for every role. */
import { useSession } from '../../api/session'
import { useOwnCompany } from '../../entities/companies/useOwnCompany'
import { Export } from '../../patterns/Export'
import { Page } from '../../patterns/Page'
import { Copyable } from '../../ui/Copyable'
import { Card, Facts } from '../../ui/layout'
import { AuthenticatorCard } from './AuthenticatorCard'
import classes from './account.module.css'
import { PasswordCard } from './PasswordCard'
import { SessionsCard } from './SessionsCard'
import { texts } from './texts'

export function AccountPage() {
  const session = useSession()
  const company = useOwnCompany()
  if (session === null) return null
  const { userId, username, companyId } = session
  return (
    <Page title={texts.title} lead={texts.lead} offline={texts.offline}>
      <Card title={texts.data} narrow>
        <Facts
          facts={[
            company !== null && { term: texts.company, value: company },
            { term: texts.username, value: username },
            {
              term: texts.companyId,
              value: (
                <>
                  <Copyable text={companyId} label={texts.companyId} />
                  <p className={classes.hint}>{texts.companyIdHint}</p>
                </>
              ),
            },
          ]}
        />
      </Card>
      <PasswordCard userId={userId} username={username} />
      <AuthenticatorCard username={username} />
      <SessionsCard />
      <Card title={texts.ownData} lead={texts.ownDataLead} narrow>
        <Export
          files={[
            { key: 'data', label: texts.takeData, path: `/api/users/${userId}/data`, name: texts.dataName },
          ]}
          failed={texts.dataFailed}
        />
      </Card>
    </Page>
  )
}
