/** The choice of the company for a system administrator's pages, by a part of its name. */
import { QueryView } from '../../patterns/QueryView'
import { Select } from '../../ui/Select'
import { Skeleton } from '../../ui/states'
import classes from './CompanyPicker.module.css'
import { texts } from './texts'
import { useChosenCompany, useCompanies } from './useCompanies'

export function CompanyPicker() {
  const companies = useCompanies()
  const [chosen, choose] = useChosenCompany()
  return (
    <QueryView query={companies} failed={texts.listFailed} skeleton={<PickerSkeleton />}>
      {known => (
        <Select
          className={classes.picker ?? ''}
          label={texts.company}
          placeholder={texts.choose}
          data={known.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen?.id ?? null}
          onChange={choose}
          searchable
          nothingFoundMessage={known.length === 0 ? texts.noneYet : texts.noneFound}
        />
      )}
    </QueryView>
  )
}

function PickerSkeleton() {
  return (
    <div className={classes.skeleton}>
      <Skeleton width={60} height={18} />
      <Skeleton height={48} />
    </div>
  )
}
