/** Closing a company: what it means, and the name typed as the second step. The operator's own cannot be closed. */
import { useState } from 'react'
import type { Company } from '../../entities/companies/useCompanies'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Trash } from '../../ui/icons'
import { Buttons, Card } from '../../ui/layout'
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
