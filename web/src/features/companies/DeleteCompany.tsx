/** Closing a company: what it means, and the name typed as the second step. The operator's own cannot be closed. */
import { useState } from 'react'
import type { Company } from '../../entities/companies/useCompanies'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Trash } from '../../ui/icons'
import classes from './ManageCompaniesPage.module.css'
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
  const confirm = async () => {
    if ((await deleting.run(undefined)) === null) return
    setAsked(false)
    onDeleted()
  }
  return (
    <section className={classes.danger} aria-label={texts.deleteTitle}>
      <div>
        <h2 className={classes.dangerTitle}>{texts.deleteTitle}</h2>
        <p className={classes.dangerLead}>{operator ? texts.operatorStays : texts.deleteLead}</p>
      </div>
      {!operator && (
        <Button
          icon={<Trash size={18} />}
          onClick={() => {
            deleting.reset()
            setAsked(true)
          }}
        >
          {texts.deleteOpen}
        </Button>
      )}
      {asked && (
        <ConfirmDialog
          title={texts.deleteQuestion(company.name)}
          confirm={texts.deleteConfirm}
          danger={<Trash size={18} />}
          busy={deleting.busy}
          failure={deleting.failure}
          typed={{
            word: company.name,
            label: texts.deleteWord(company.name),
            wrong: texts.deleteWrong,
          }}
          onConfirm={confirm}
          consequences={texts.deleteConsequences}
          onClose={() => setAsked(false)}
        />
      )}
    </section>
  )
}
