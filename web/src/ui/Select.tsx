/** The one select: one of a few, or of many by typing a part of the name. The chosen one is marked in the open list. */
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import './fields'
import { Select as MantineSelect, type SelectProps as MantineSelectProps } from '@mantine/core'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { useInDialog } from './Dialog'
import { texts } from './fieldTexts'
import { ChevronDown } from './icons'

/** The longest list that a user can be expected to read; typing narrows it down. */
const SHOWN_AT_ONCE = 100

export interface SelectProps<Value extends string = string>
  extends Omit<MantineSelectProps, 'value' | 'onChange' | 'onSelect'> {
  value: Value | null
  onChange: (value: Value) => void
}

export function Select<Value extends string>({
  value,
  onChange,
  onFocus,
  searchable = false,
  nothingFoundMessage = searchable && texts.nothingFound,
  ...rest
}: SelectProps<Value>) {
  // Nobody opens a list without coming to its field first; a page of many fields is drawn without their lists.
  const [near, setNear] = useState(false)
  // On a page in its place, not at the end of the document: so it belongs to the page for who cannot see it, too.
  const withinPortal = useInDialog()
  // Typing starts a new search; the chosen value is not its prefix.
  const mark = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => {
    if (searchable && document.activeElement === currentTarget) currentTarget.select()
  }
  return (
    <MantineSelect
      value={value}
      onChange={chosen => {
        if (chosen !== null) onChange(chosen as Value)
      }}
      onFocus={event => {
        setNear(true)
        mark(event)
        onFocus?.(event)
      }}
      // The press has put the cursor somewhere into the text.
      onClick={mark}
      searchable={searchable}
      limit={SHOWN_AT_ONCE}
      // Enter takes the match of a typed prefix.
      selectFirstOptionOnChange={searchable}
      // The focus may return here after a dialog closes; the user has not asked for a list then.
      openOnFocus={false}
      comboboxProps={{ withinPortal, keepMounted: near }}
      rightSection={<ChevronDown size={18} />}
      rightSectionPointerEvents="none"
      nothingFoundMessage={nothingFoundMessage && <NothingFound>{nothingFoundMessage}</NothingFound>}
      {...rest}
    />
  )
}

/** A list box needs an option, even to report that nothing was found. */
function NothingFound({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y: it stands in the list of the combobox, and nobody can take it
    <span role="option" aria-disabled="true" aria-selected="false">
      {children}
    </span>
  )
}
