/** A row's further actions in a menu. */
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dots } from './icons'
import classes from './RowMenu.module.css'
import { texts } from './texts'

export interface MenuEntry {
  label: string
  icon?: ReactNode
  onPress: () => void
}

export function RowMenu({ name, entries }: { name: string; entries: readonly MenuEntry[] }) {
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className={classes.button} aria-label={texts.moreActions(name)}>
          <Dots size={22} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map(({ label, icon, onPress }) => (
          <Menu.Item key={label} leftSection={icon} onClick={onPress}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
