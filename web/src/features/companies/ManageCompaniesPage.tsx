/** "Firmen verwalten": the chosen company's modules, and its end. */
import { type ReactNode, useState } from 'react'
import { useBanner } from '../../ui/Banner'
import { Building } from '../../ui/icons'
import { PageFrame } from '../../ui/PageFrame'
import { EmptyState } from '../../ui/states'
import { DeleteCompany } from './DeleteCompany'
import { type Draft, NOTHING } from './draft'
import { ChoiceSkeleton, FeatureChoice } from './FeatureChoice'
import { texts } from './texts'
import type { Company } from './useCompanies'

interface ManageCompaniesPageProps {
  /** Null: none is chosen; undefined: that is not known yet. */
  company: Company | null | undefined
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
      {company === undefined && <ChoiceSkeleton />}
      {company === null && (
        <EmptyState picture={<Building size={40} strokeWidth={1.6} />} sentence={texts.pickFirst} />
      )}
      {company && (
        <>
          <FeatureChoice
            key={company.id}
            company={company}
            draft={drafts[company.id] ?? NOTHING}
            onDraft={change =>
              setDrafts(known => ({ ...known, [company.id]: change(known[company.id] ?? NOTHING) }))
            }
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
