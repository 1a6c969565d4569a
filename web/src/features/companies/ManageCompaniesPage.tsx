/** "Firmen verwalten": the chosen company's modules, and its end. */
import type { ReactNode } from 'react'
import { useBanner } from '../../ui/Banner'
import { Building } from '../../ui/icons'
import { PageFrame } from '../../ui/PageFrame'
import { EmptyState } from '../../ui/states'
import { DeleteCompany } from './DeleteCompany'
import { NOTHING } from './draft'
import { ChoiceSkeleton, FeatureChoice } from './FeatureChoice'
import { texts } from './texts'
import type { Company } from './useCompanies'
import type { Drafts } from './useDrafts'

interface ManageCompaniesPageProps {
  /** Null: none is chosen; undefined: that is not known yet. */
  company: Company | null | undefined
  picker: ReactNode
  drafts: Drafts
  /** The operator's own company, which is the caller's. */
  operatorId: string
  onDeleted: () => void
}

export function ManageCompaniesPage({
  company,
  picker,
  drafts,
  operatorId,
  onDeleted,
}: ManageCompaniesPageProps) {
  const [banner, say] = useBanner()
  return (
    <PageFrame title={texts.manageTitle} lead={texts.manageLead}>
      {picker}
      {company === undefined && <ChoiceSkeleton />}
      {company === null && (
        <EmptyState picture={<Building size={40} strokeWidth={1.6} />} sentence={texts.pickFirst} />
      )}
      {company && (
        <>
          <FeatureChoice
            key={company.id}
            company={company}
            draft={drafts.of(company.id)}
            onDraft={next => drafts.change(company.id, next)}
            onSaved={() => say(texts.saveDone)}
          />
          <DeleteCompany
            key={`end-${company.id}`}
            company={company}
            operator={company.id === operatorId}
            onDeleted={() => {
              drafts.change(company.id, () => NOTHING)
              say(texts.deleted(company.name))
              onDeleted()
            }}
          />
        </>
      )}
      {banner}
    </PageFrame>
  )
}
