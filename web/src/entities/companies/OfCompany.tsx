/** A system administrator's page about one company: which one, and what is said until one is chosen. */
import type { ReactNode } from 'react'
import { Building } from '../../ui/icons'
import { EmptyState, Loading } from '../../ui/states'
import { CompanyPicker } from './CompanyPicker'
import { texts } from './texts'
import { type Company, useChosenCompany, useCompanies } from './useCompanies'

interface OfCompanyProps {
  skeleton: ReactNode
  /** Begins anew with every company: no question outlives the one it was asked under. */
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
      {/* A box for the focus: from what goes in here it passes to what stays in here, and not to the choice above. */}
      {company && (
        <div key={company.id} style={{ display: 'contents' }}>
          {children(company)}
        </div>
      )}
    </>
  )
}
