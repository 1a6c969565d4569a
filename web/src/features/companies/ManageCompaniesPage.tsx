/** "Firmen verwalten": the chosen company's modules, and its end. */
import { type ReactNode, useState } from 'react'
import { useBanner } from '../../ui/Banner'
import { Building } from '../../ui/icons'
import { PageFrame } from '../../ui/PageFrame'
import { EmptyState } from '../../ui/states'
import { DeleteCompany } from './DeleteCompany'
import { type Draft, NOTHING } from './draft'
import { FeatureChoice } from './FeatureChoice'
import { texts } from './texts'
import type { Company } from './useCompanies'

interface ManageCompaniesPageProps {
  company: Company | null
  picker: ReactNode
  /** The operator's own company, which is the caller's. */
  operatorId: string
  onDeleted: () => void
}

export function ManageCompaniesPage({ company, picker, operatorId, onDeleted }: ManageCompaniesPageProps) {
  const [banner, say] = useBanner()
  /** By company, so that looking at another one loses nothing. */
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({})
  return (
    <PageFrame title={texts.manageTitle} lead={texts.manageLead}>
      {picker}
      {company === null ? (
        <EmptyState picture={<Building size={40} strokeWidth={1.6} />} sentence={texts.pickFirst} />
      ) : (
        <>
          <FeatureChoice
            key={company.id}
            company={company}
            draft={drafts[company.id] ?? NOTHING}
            onDraft={draft => setDrafts(known => ({ ...known, [company.id]: draft }))}
            onSaved={() => say(texts.saveDone)}
          />
          <DeleteCompany
            key={`end-${company.id}`}
            company={company}
            operator={company.id === operatorId}
            onDeleted={() => {
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
