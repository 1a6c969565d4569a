/** A company, chosen in a form. */
import { Select } from '../../ui/Select'
import { texts } from './texts'
import { useCompanies } from './useCompanies'

interface CompanySelectProps {
  name: string
  value: string | null
  onChange: (value: string) => void
  error: string | undefined
}

export function CompanySelect(field: CompanySelectProps) {
  const companies = useCompanies()
  return (
    <Select
      {...field}
      label={texts.company}
      placeholder={companies.data === undefined ? texts.loading : texts.choose}
      data={(companies.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      nothingFoundMessage={texts.noneFound}
    />
  )
}

/** The form's error without a choice. */
export const companyChosen = (companyId: string | null) => companyId === null && texts.pickOne
