/** Chooses one of the companies by typing a part of its name. It keeps nothing: who shows it knows which is chosen. */
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import { sentenceOf } from '../../api/failures'
import { CHOICE_PARTS } from '../../ui/fields'
import { ChevronDown } from '../../ui/icons'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import classes from './CompanyPicker.module.css'
import { texts } from './texts'
import type { Companies } from './useCompanies'

/** More than this nobody reads through; typing narrows it down. */
const SHOWN_AT_ONCE = 100

interface CompanyPickerProps {
  companies: Companies
  chosen: string | null
  onChoose: (companyId: string) => void
}

export function CompanyPicker({ companies, chosen, onChoose }: CompanyPickerProps) {
  if (companies.data === undefined) {
    if (companies.error === null) return <PickerSkeleton />
    return (
      <ErrorState
        title={texts.listFailed}
        detail={sentenceOf(companies.error, texts.listFailed)}
        busy={companies.isFetching}
        onRetry={companies.refetch}
      />
    )
  }
  return (
    <Select
      className={classes.picker ?? ''}
      label={texts.company}
      placeholder={texts.choose}
      data={companies.data.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen}
      onChange={id => {
        if (id !== null) onChoose(id)
      }}
      searchable
      allowDeselect={false}
      limit={SHOWN_AT_ONCE}
      maxDropdownHeight={360}
      // In its place, not at the end of the document: so it belongs to the page for who cannot see it, too.
      comboboxProps={{ withinPortal: false }}
      nothingFoundMessage={companies.data.length === 0 ? texts.noneYet : texts.noneFound}
      withCheckIcon={false}
      rightSection={<ChevronDown size={18} />}
      rightSectionPointerEvents="none"
      classNames={CHOICE_PARTS}
    />
  )
}

function PickerSkeleton() {
  return (
    <Loading>
      <div className={classes.skeleton}>
        <Skeleton width={60} height={18} />
        <Skeleton height={48} />
      </div>
    </Loading>
  )
}
