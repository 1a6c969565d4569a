/** The login modal. Every opening starts with empty fields; a press while a request is in flight does nothing. */
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Modal, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Session } from '../../api/session'
import { Button } from '../../ui/Button'
import { Notice } from '../../ui/Notice'
import classes from './LoginDialog.module.css'
import { type Credentials, logIn } from './login'
import { texts } from './texts'

interface LoginDialogProps {
  opened: boolean
  onClose: () => void
  onDone: (session: Session) => void
}

export function LoginDialog({ opened, onClose, onDone }: LoginDialogProps) {
  // The modal gives the focus back only if it saw itself being opened, and this code may be loaded by that very press.
  const [shown, setShown] = useState(false)
  useEffect(() => setShown(opened), [opened])
  return (
    <Modal.Root opened={shown} onClose={onClose} centered size={440} classNames={PARTS}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          {/* Not Mantine's own header: its <header> would be the page's second banner. */}
          <div className={classes.header}>
            <Modal.Title>{texts.title}</Modal.Title>
            <Modal.CloseButton aria-label={texts.close} size={48} iconSize={22} />
          </div>
          <CredentialsForm onDone={onDone} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

const EMPTY: Credentials = { company: '', username: '', password: '' }

/** Named at the root: on the content itself a class would also dress Mantine's full-screen box around it. */
const PARTS = {
  overlay: classes.overlay ?? '',
  content: classes.content ?? '',
  body: classes.body ?? '',
  title: classes.title ?? '',
  close: classes.close ?? '',
}

/** Mounted anew at each opening, so nothing of an earlier attempt is left. */
function CredentialsForm({ onDone }: { onDone: (session: Session) => void }) {
  const [fields, setFields] = useState(EMPTY)
  const [sentence, setSentence] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const request = useRef<AbortController | null>(null)
  useEffect(() => () => request.current?.abort(), [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (request.current !== null) return
    const mine = new AbortController()
    request.current = mine
    setBusy(true)
    setSentence(null)
    const outcome = await logIn(fields, mine.signal)
    // Closed meanwhile: whatever the service said, nobody asked for it any more.
    if (mine.signal.aborted) return
    request.current = null
    setBusy(false)
    if (outcome.kind === 'done') onDone(outcome.session)
    else setSentence(outcome.sentence)
  }

  const field = (name: keyof Credentials) => ({
    label: texts[name],
    name,
    value: fields[name],
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      const { value } = event.currentTarget
      setFields(known => ({ ...known, [name]: value }))
    },
    classNames: { input: classes.input ?? '', label: classes.label ?? '' },
    autoCapitalize: 'none',
    spellCheck: false,
  })

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.lead}>{texts.lead}</p>
      <TextInput {...field('company')} autoComplete="organization" data-autofocus />
      <TextInput {...field('username')} autoComplete="username" />
      <PasswordInput
        {...field('password')}
        autoComplete="current-password"
        classNames={{
          input: classes.input ?? '',
          innerInput: classes.innerInput ?? '',
          label: classes.label ?? '',
        }}
        visibilityToggleButtonProps={{ 'aria-label': texts.showPassword, tabIndex: 0 }}
      />
      {sentence !== null && (
        <Notice tone="error" live="assertive">
          <p>{sentence}</p>
        </Notice>
      )}
      <Button look="primary" type="submit" wide busy={busy}>
        {texts.submit}
      </Button>
    </form>
  )
}
