/** A system administrator's page about one company: which one, and what is said until one is chosen. */
import { Fragment, type ReactNode } from 'react'
import { Building } from '../../ui/icons'
import { EmptyState, Loading } from '../../ui/states'
import { CompanyPicker } from './CompanyPicker'
import { texts } from './texts'
import { type Company, useChosenCompany } from './useCompanies'

interface OfCompanyProps {
  skeleton: ReactNode
  /** Begins anew with every company: no question outlives the one it was asked under. */
  children: (company: Company) => ReactNode
}

export function OfCompany({ skeleton, children }: OfCompanyProps) {
  const [company] = useChosenCompany()
  return (
    <>
      <CompanyPicker />
      {company === undefined && <Loading>{skeleton}</Loading>}
      {company === null && (
        <EmptyState picture={<Building size={40} strokeWidth={1.6} />} sentence={texts.pickFirst} />
      )}
      {company && <Fragment key={company.id}>{children(company)}</Fragment>}
    </>
  )
}
