/**
 * A modal dialog. Whoever shows it mounts it and takes it away; the focus then goes back to where it was, or near to
 * that if it is gone. One that `stays` is left by its own button alone, not by the browser's Back either: what it shows
 * is not to be lost by a slip of the finger.
 */
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Modal } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useBackHeld } from './back'
import classes from './Dialog.module.css'
import { useFocusBack } from './focus'
import { texts } from './texts'

/** Named at the root: on the content itself a class would also dress Mantine's full-screen box around it. */
const PARTS = {
  overlay: classes.overlay ?? '',
  content: classes.content ?? '',
  body: classes.body ?? '',
  title: classes.title ?? '',
  close: classes.close ?? '',
}

interface DialogProps {
  title: string
  onClose: () => void
  stays?: boolean | undefined
  size?: number | undefined
  children: ReactNode
}

export function Dialog({ title, onClose, stays = false, size = 480, children }: DialogProps) {
  useFocusBack()
  useBackHeld(stays)
  return (
    <Modal.Root
      opened
      onClose={onClose}
      returnFocus={false}
      closeOnEscape={!stays}
      closeOnClickOutside={!stays}
      centered
      size={size}
      classNames={PARTS}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          {/* Not Mantine's own header: its <header> would be the page's second banner. */}
          <div className={classes.header}>
            <Modal.Title>{title}</Modal.Title>
            {!stays && <Modal.CloseButton aria-label={texts.close} size={48} iconSize={22} />}
          </div>
          <div className={classes.inside}>{children}</div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={classes.buttons}>{children}</div>
}

/** For what takes another's place in a dialog: the focus goes to it, since what had it is gone. */
export function useFocusOnShow<Target extends HTMLElement>() {
  const target = useRef<Target>(null)
  useEffect(() => target.current?.focus(), [])
  return target
}
