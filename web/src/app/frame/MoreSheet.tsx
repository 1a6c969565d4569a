/** The phone's "Mehr": who is logged in, installing the app, and the way out. */
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import { Drawer } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../ui/Button'
import { Dots, Leave, Person } from '../../ui/icons'
import { signOut } from '../signOut'
import { texts } from '../texts'
import classes from './MoreSheet.module.css'
import { useInstall } from './useInstall'

/** Named at the root: on the content itself a class would also dress Mantine's full-screen box around it. */
const PARTS = {
  overlay: classes.overlay ?? '',
  content: classes.content ?? '',
  body: classes.body ?? '',
  title: classes.title ?? '',
  close: classes.close ?? '',
}

export function MoreSheet({ username }: { username: string }) {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const install = useInstall()
  const leave = () => {
    signOut()
    navigate('/')
  }
  return (
    <>
      <button type="button" className={classes.opener} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Dots size={22} />
        {texts.more}
      </button>
      <Drawer.Root
        opened={open}
        onClose={() => setOpen(false)}
        position="bottom"
        size="auto"
        classNames={PARTS}
      >
        <Drawer.Overlay />
        <Drawer.Content>
          <Drawer.Body>
            <div className={classes.header}>
              <Drawer.Title>{texts.more}</Drawer.Title>
              <Drawer.CloseButton aria-label={texts.closeMenu} size={48} iconSize={24} />
            </div>
            <p className={classes.who}>
              <Person size={22} />
              <span>
                {texts.signedInAs} <strong>{username}</strong>
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
    </>
  )
}
