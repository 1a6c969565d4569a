/** "Firmen verwalten": the chosen company's modules, and its closing. */
import { useEffect, useState } from 'react'
import { OfCompany } from '../../entities/companies/OfCompany'
import { useChosenCompany } from '../../entities/companies/useCompanies'
import { Page } from '../../patterns/Page'
import { succeed } from '../../patterns/succeed'
import type { PageProps } from '../feature'
import { ClosedCompanies } from './ClosedCompanies'
import { DeleteCompany } from './DeleteCompany'
import { ChoiceSkeleton, ModuleChoice } from './ModuleChoice'
import { texts } from './texts'

export function ManageCompaniesPage({ session }: PageProps) {
  const deletedCompany = useGone()
  return (
    <Page title={texts.manageTitle} lead={texts.manageLead}>
      <OfCompany skeleton={<ChoiceSkeleton />}>
        {company =>
          company.id !== deletedCompany.id && (
            <>
              <ModuleChoice company={company} />
              <DeleteCompany
                company={company}
                // The operator's own company, which is the caller's.
                operator={company.id === session.companyId}
                onDeleted={() => {
                  succeed(texts.deleted(company.name))
                  deletedCompany.tell(company.id)
                }}
              />
            </>
          )
        }
      </OfCompany>
      <ClosedCompanies />
    </Page>
  )
}

/**
 * The company just deleted. It is deselected after its form has unmounted, so that unsaved ticks do not hold the page.
 */
function useGone() {
  const [, choose] = useChosenCompany()
  const [id, tell] = useState<string | null>(null)
  useEffect(() => {
    if (id === null) return
    choose(null)
    tell(null)
  }, [id, choose])
  return { id, tell }
}
