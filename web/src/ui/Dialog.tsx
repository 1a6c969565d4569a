/**
 * A modal dialog. Its caller mounts and unmounts it; the focus then returns to where it was, or near to that if it is
 * gone. A dialog that `stays` closes only with its own button, not with the browser's Back, so that its content is not
 * lost by accident.
 */
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Modal } from '@mantine/core'
import { createContext, type ReactNode, useContext, useDeferredValue, useEffect, useRef } from 'react'
import { Button } from './Button'
import classes from './Dialog.module.css'
import { useFocusBack } from './focus'
import { useStay } from './leaving'
import { texts } from './texts'
import { useMatch } from './useMatch'

/** Named at the root: on the content itself a class would also dress Mantine's full-screen box around it. */
const PARTS = {
  overlay: classes.overlay ?? '',
  content: classes.content ?? '',
  body: classes.body ?? '',
  title: classes.title ?? '',
  close: classes.close ?? '',
}

const SMALL = '(max-width: 640px), (max-height: 480px)'

const Inside = createContext(false)

/** Whether this is inside a dialog: what opens there needs room beyond it. */
export const useInDialog = () => useContext(Inside)

interface DialogProps {
  title: string
  onClose: () => void
  stays?: boolean | undefined
  /** While something is under way it is not closed by a slip; leaving the page is another matter. */
  busy?: boolean
  size?: number | undefined
  /** Takes the whole of a small window: for a form, which needs its room when the keyboard opens. */
  sheet?: boolean
  children: ReactNode
}

export function Dialog({
  title,
  onClose,
  stays = false,
  busy = false,
  size = 480,
  sheet = false,
  children,
}: DialogProps) {
  const small = useMatch(SMALL)
  const isDrawn = useDeferredValue(true, false)
  useFocusBack()
  useStay(stays)
  return (
    <Modal.Root
      opened
      onClose={onClose}
      returnFocus={false}
      lockScroll={isDrawn}
      closeOnEscape={!stays && !busy}
      closeOnClickOutside={!stays && !busy}
      centered
      size={size}
      fullScreen={sheet && small}
      classNames={PARTS}
    >
      <Modal.Overlay />
      {/* The page dims at once; a slow phone may need more than 100 ms for the dialog's content. */}
      {isDrawn && (
        <Modal.Content>
          <Modal.Body>
            {/* Not Mantine's own header: its <header> would be the page's second banner. */}
            <div className={classes.header}>
              <Modal.Title>{title}</Modal.Title>
              {!stays && !busy && <Modal.CloseButton aria-label={texts.close} size={48} iconSize={22} />}
            </div>
            <div className={classes.inside}>
              <Inside value>{children}</Inside>
            </div>
          </Modal.Body>
        </Modal.Content>
      )}
    </Modal.Root>
  )
}

/** The dialog's foot, always in sight. `note`: a text to be read before pressing one of the buttons. */
export function DialogButtons({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.buttons}>
      {note !== undefined && <div className={classes.note}>{note}</div>}
      {children}
    </div>
  )
}

/** For what takes another's place in a dialog: the focus goes to it, since what had it is gone. */
export function useFocusOnShow<Target extends HTMLElement>() {
  const target = useRef<Target>(null)
  useEffect(() => target.current?.focus(), [])
  return target
}

/** Leaves a dialog that shows what came of it. The focus goes to it, since what asked for it is gone. */
export function DoneButton({ onClose }: { onClose: () => void }) {
  const button = useFocusOnShow<HTMLButtonElement>()
  return (
    <DialogButtons>
      <Button ref={button} look="primary" onClick={onClose}>
        {texts.done}
      </Button>
    </DialogButtons>
  )
}
