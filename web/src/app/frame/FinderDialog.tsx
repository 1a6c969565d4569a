/** Navigation by a part of the name: typed, chosen with the arrows, Enter. */
import { useNavigate } from 'react-router'
import { Dialog } from '../../ui/Dialog'
import { Select } from '../../ui/Select'
import { finderTexts as texts } from './finderTexts'

export interface Target {
  /** The address's query. */
  to: string
  label: string
}

export interface FinderDialogProps {
  pages: readonly Target[]
  people?: readonly Target[]
  onClose: () => void
}

export function FinderDialog({ pages, people = [], onClose }: FinderDialogProps) {
  const navigate = useNavigate()
  const groups = [
    { group: texts.pages, items: pages },
    { group: texts.people, items: people },
  ].filter(({ items }) => items.length > 0)
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <Select
        data={groups.map(({ group, items }) => ({
          group,
          items: items.map(({ to, label }) => ({ value: to, label })),
        }))}
        label={texts.label}
        searchable
        data-autofocus
        defaultDropdownOpened
        nothingFoundMessage={texts.nothing}
        value={null}
        onChange={to => {
          onClose()
          navigate(to)
        }}
      />
    </Dialog>
  )
}
