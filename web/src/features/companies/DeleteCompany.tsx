/** Closes a company: an explanation, and the typed name as confirmation. The operator's own cannot be closed. */
import { useState } from 'react'
import type { Company } from '../../entities/companies/useCompanies'
import { QueryView } from '../../patterns/QueryView'
import { useGet } from '../../patterns/useGet'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { dayOf } from '../../ui/days'
import { Trash } from '../../ui/icons'
import { Buttons, Card } from '../../ui/layout'
import { Notice } from '../../ui/Notice'
import { Skeleton } from '../../ui/states'
import { writtenDay } from '../../ui/writtenDays'
import { texts } from './texts'
import { useDeleteCompany } from './useCompany'

interface DeleteCompanyProps {
  company: Company
  operator: boolean
  onDeleted: () => void
}

export function DeleteCompany({ company, operator, onDeleted }: DeleteCompanyProps) {
  const [asked, setAsked] = useState(false)
  const deleting = useDeleteCompany(company.id)
  return (
    <Card quiet title={texts.deleteTitle} lead={operator ? texts.operatorStays : texts.deleteLead}>
      {!operator && <Ending company={company} />}
      {!operator && (
        <Buttons>
          <Button icon={<Trash size={18} />} onClick={() => setAsked(true)}>
            {texts.deleteOpen}
          </Button>
        </Buttons>
      )}
      {asked && (
        <ConfirmDialog
          title={texts.deleteQuestion(company.name)}
          confirm={texts.deleteConfirm}
          danger={<Trash size={18} />}
          acting={deleting}
          done={onDeleted}
          typed={{
            word: company.name,
            label: texts.deleteWord(company.name),
            wrong: texts.deleteWrong,
          }}
          consequences={texts.deleteConsequences}
          onClose={() => setAsked(false)}
        />
      )}
    </Card>
  )
}

/** How long its data would be kept, and whether the company has exported them. */
function Ending({ company }: { company: Company }) {
  const closing = useGet('/api/companies/{id}/closing', { path: { id: company.id } })
  return (
    <QueryView query={closing} failed={texts.closingFailed} skeleton={<Skeleton height={48} />}>
      {({ purgeOn, archive }) => (
        <>
          <p>{texts.deletePurge(writtenDay(purgeOn))}</p>
          {archive?.endedAt == null ? (
            <Notice tone="info" title={texts.deleteNotArchived} />
          ) : (
            <p>{texts.deleteArchived(writtenDay(dayOf(new Date(archive.endedAt))))}</p>
          )}
        </>
      )}
    </QueryView>
  )
}
