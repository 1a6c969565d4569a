/** The phone's "Mehr": the modules without room on the bar, the logged-in user, installing the app, the logout. */
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import { Drawer } from '@mantine/core'
import { type ComponentType, startTransition } from 'react'
import { Link } from 'react-router'
import { useOwnCompany } from '../../entities/companies/useOwnCompany'
import { Button } from '../../ui/Button'
import { useFocusBack } from '../../ui/focus'
import { Leave, Person } from '../../ui/icons'
import { useSignOut } from '../signOut'
import { texts } from '../texts'
import classes from './MoreSheet.module.css'
import { useInstall } from './useInstall'

/** Named at the root: a class on the content would also style Mantine's full-screen box around it. */
const PARTS = {
  overlay: classes.overlay ?? '',
  content: classes.content ?? '',
  body: classes.body ?? '',
  title: classes.title ?? '',
  close: classes.close ?? '',
}

export interface SheetEntry {
  key: string
  label: string
  icon: ComponentType<{ size?: number }>
  to: string
  current: boolean
}

interface MoreSheetProps {
  username: string
  entries: readonly SheetEntry[]
  onClose: () => void
}

export function MoreSheet({ username, entries, onClose }: MoreSheetProps) {
  const install = useInstall()
  const leave = useSignOut()
  const company = useOwnCompany()
  useFocusBack()
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="bottom"
      size="auto"
      classNames={PARTS}
      returnFocus={false}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body>
          <div className={classes.header}>
            <Drawer.Title>{texts.more}</Drawer.Title>
            <Drawer.CloseButton aria-label={texts.closeMenu} size={48} iconSize={24} />
          </div>
          {entries.length > 0 && (
            <ul className={classes.entries}>
              {entries.map(entry => (
                <li key={entry.key}>
                  <Link
                    to={entry.to}
                    className={classes.entry}
                    aria-current={entry.current ? 'page' : undefined}
                    // In one transition with the target page.
                    onClick={() => startTransition(onClose)}
                  >
                    <entry.icon size={22} />
                    {entry.label}
                  </Link>
                </li>
              ))}
            </ul>
          )}
          <p className={classes.who}>
            <Person size={22} />
            <span>
              {texts.signedInAs} <strong>{username}</strong>
              {company !== null && <span className={classes.company}>{company}</span>}
            </span>
          </p>
          {install !== null && (
            <Button wide onClick={install}>
              {texts.install}
            </Button>
          )}
          <Button wide icon={<Leave size={20} />} onClick={leave}>
            {texts.logout}
          </Button>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
