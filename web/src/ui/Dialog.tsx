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
      {/* The page dims at once; what stands in the dialog may take a slow phone longer than a tenth of a second. */}
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

/** At the dialog's foot, in sight however long it is. `note`: what is to be read before one of them is pressed. */
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
