/** "Firmen verwalten": the chosen company's modules, and its end. */
import { OfCompany } from '../../entities/companies/OfCompany'
import { useChosenCompany } from '../../entities/companies/useCompanies'
import { Page } from '../../patterns/Page'
import { succeed } from '../../patterns/succeed'
import type { PageProps } from '../feature'
import { DeleteCompany } from './DeleteCompany'
import { ChoiceSkeleton, ModuleChoice } from './ModuleChoice'
import { texts } from './texts'

export function ManageCompaniesPage({ session }: PageProps) {
  const [, choose] = useChosenCompany()
  return (
    <Page title={texts.manageTitle} lead={texts.manageLead}>
      <OfCompany skeleton={<ChoiceSkeleton />}>
        {company => (
          <>
            <ModuleChoice company={company} />
            <DeleteCompany
              company={company}
              // The operator's own company, which is the caller's.
              operator={company.id === session.companyId}
              onDeleted={() => {
                succeed(texts.deleted(company.name))
                choose(null)
              }}
            />
          </>
        )}
      </OfCompany>
    </Page>
  )
}
