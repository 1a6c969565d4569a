/** A system administrator's page about one company: the choice of the company, and a hint without one. */
import type { ReactNode } from 'react'
import { Building } from '../../ui/icons'
import { EmptyState, Loading } from '../../ui/states'
import { CompanyPicker } from './CompanyPicker'
import { texts } from './texts'
import { type Company, useChosenCompany, useCompanies } from './useCompanies'

interface OfCompanyProps {
  skeleton: ReactNode
  /** Remounts for every company: a question must not outlive its company. */
  children: (company: Company) => ReactNode
}

export function OfCompany({ skeleton, children }: OfCompanyProps) {
  const companies = useCompanies()
  const [company] = useChosenCompany()
  return (
    <>
      <CompanyPicker />
      {company === undefined && !companies.isError && <Loading>{skeleton}</Loading>}
      {company === null && (
        <EmptyState picture={<Building size={40} strokeWidth={1.6} />} sentence={texts.pickFirst} />
      )}
      {/*
       * A focus container: if content disappears, the focus moves to other content here, and not to the choice above.
       */}
      {company && (
        <div key={company.id} style={{ display: 'contents' }}>
          {children(company)}
        </div>
      )}
    </>
  )
}
