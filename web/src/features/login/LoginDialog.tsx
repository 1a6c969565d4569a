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
import { Alert } from '../../ui/icons'
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
const FIELDS = ['company', 'username', 'password'] as const

/** Named at the root: on the content itself a class would also dress Mantine's full-screen box around it. */
const PARTS = {
  overlay: classes.overlay ?? '',
  content: classes.content ?? '',
  body: classes.body ?? '',
  title: classes.title ?? '',
  close: classes.close ?? '',
}

const FIELD_PARTS = {
  input: classes.input ?? '',
  label: classes.label ?? '',
  error: classes.missing ?? '',
}

function isEmpty(fields: Credentials, name: keyof Credentials): boolean {
  // Blanks are no name, but may be somebody's password.
  return (name === 'password' ? fields[name] : fields[name].trim()) === ''
}

function focusField(form: HTMLFormElement, name: keyof Credentials) {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLInputElement) field.focus()
}

function Missing() {
  return (
    <>
      <Alert size={16} />
      {texts.fillIn}
    </>
  )
}

/** Mounted anew at each opening, so nothing of an earlier attempt is left. */
function CredentialsForm({ onDone }: { onDone: (session: Session) => void }) {
  const [fields, setFields] = useState(EMPTY)
  const [sentence, setSentence] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  /** Whether somebody has tried to log in: before that no field complains. */
  const [tried, setTried] = useState(false)
  const request = useRef<AbortController | null>(null)
  useEffect(() => () => request.current?.abort(), [])

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (request.current !== null) return
    setTried(true)
    const empty = FIELDS.find(name => isEmpty(fields, name))
    if (empty !== undefined) {
      setSentence(null)
      focusField(event.currentTarget, empty)
      return
    }
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
    error: tried && isEmpty(fields, name) && <Missing />,
    'aria-invalid': tried && isEmpty(fields, name),
    required: true,
    withAsterisk: false,
    classNames: FIELD_PARTS,
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
        classNames={{ ...FIELD_PARTS, innerInput: classes.innerInput ?? '' }}
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
