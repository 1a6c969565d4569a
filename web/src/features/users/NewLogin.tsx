/**
 * Creates a login, in a dialog. The new login is shown with its password until the dialog closes: the password is never
 * shown again.
 */
import { useState } from 'react'
import { type Role, tidyTag } from '../../entities/people/people'
import { FormDialog } from '../../patterns/FormDialog'
import { filled, typed, useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { Copyable } from '../../ui/Copyable'
import { DialogButtons, useFocusOnShow } from '../../ui/Dialog'
import { PasswordInput, SpelledInput, TextInput } from '../../ui/fields'
import { Dice } from '../../ui/icons'
import { Select } from '../../ui/Select'
import { texts as uiTexts } from '../../ui/texts'
import { generatedPassword } from './generated'
import { type HeldStamp, HeldTag, heldOf } from './HeldTag'
import classes from './people.module.css'
import { texts } from './texts'
import { useCreateUser } from './useUsers'

interface Words {
  title: string
  failed: string
  incomplete?: string
}

interface NewLoginProps {
  companyId: string
  roles: readonly Role[]
  /** Its title, for a login without a company. */
  words?: Words
  /** The stamps that wait for a person. */
  held?: readonly HeldStamp[]
  onClose: () => void
}

interface Created {
  username: string
  password: string
}

const EMPTY = { username: '', password: '', tagId: '', role: 'user' as Role, withHeld: true }

const LOGIN: Words = {
  title: texts.newLogin,
  failed: texts.createFailed,
  incomplete: texts.incomplete,
}

const RULES = {
  username: filled(texts.fillIn),
  password: typed(texts.fillIn),
  tagId: filled(texts.fillIn),
}

export function NewLogin({ companyId, roles, words = LOGIN, held = [], onClose }: NewLoginProps) {
  const [created, setCreated] = useState<Created | null>(null)
  const creating = useCreateUser(companyId, words.failed)
  const form = useForm({
    initial: EMPTY,
    rules: RULES,
    ...(words.incomplete !== undefined && { incomplete: words.incomplete }),
    acting: creating,
    input: ({ withHeld, ...fields }) => {
      const tagId = tidyTag(fields.tagId)
      const [first] = withHeld ? heldOf(held, tagId) : []
      return { ...fields, tagId, companyId, ...(first && { tagFrom: first.takenAt }) }
    },
    onDone: (user, { username, password }) => {
      setCreated({ username: user?.username ?? username, password })
      form.restart()
    },
  })
  const answer = created && {
    title: texts.created(created.username),
    content: <CreatedLogin {...created} onAnother={() => setCreated(null)} onClose={onClose} />,
  }
  return (
    <FormDialog title={words.title} form={form} answer={answer} onClose={onClose} submit={words.title}>
      <NameInput {...form.field('username')} />
      <NewPasswordInput {...form.field('password')} label={texts.password} />
      <SpelledInput
        {...form.field('tagId')}
        label={texts.tagId}
        onBlur={() => form.set('tagId', tidyTag(form.values.tagId))}
        placeholder={texts.tagHint}
        autoComplete="off"
      />
      <HeldTag held={heldOf(held, tidyTag(form.values.tagId))} tick={form.tick('withHeld')} />
      <Select
        {...form.field('role')}
        label={texts.role}
        data={roles.map(role => ({ value: role, label: texts.roles[role] }))}
      />
    </FormDialog>
  )
}

interface FieldProps {
  name: string
  value: string
  // biome-ignore lint/suspicious/noExplicitAny: as a field hands it over (`useForm`)
  onChange: (change: any) => void
  error: string | undefined
}

/** Focused initially, and again for another login. */
function NameInput(field: FieldProps) {
  const input = useFocusOnShow<HTMLInputElement>()
  return (
    <TextInput
      {...field}
      ref={input}
      label={texts.username}
      maxLength={200}
      autoComplete="off"
      data-autofocus
    />
  )
}

/** A typed password, or a generated and visible one. */
function NewPasswordInput(field: FieldProps & { label: string }) {
  const [visible, setVisible] = useState(false)
  return (
    <div className={classes.password}>
      <PasswordInput
        {...field}
        visible={visible}
        onVisibilityChange={setVisible}
        description={uiTexts.passwordLength}
        // Below the field, so that the button is level with it.
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="new-password"
      />
      <Button
        icon={<Dice size={18} />}
        onClick={() => {
          field.onChange(generatedPassword())
          setVisible(true)
        }}
      >
        {texts.generate}
      </Button>
    </div>
  )
}

interface CreatedLoginProps extends Created {
  onAnother: () => void
  onClose: () => void
}

function CreatedLogin({ username, password, onAnother, onClose }: CreatedLoginProps) {
  const done = useFocusOnShow<HTMLButtonElement>()
  return (
    <>
      <p role="status">{texts.createdHint}</p>
      <Copyable large text={password} label={texts.passwordOf(username)} />
      <DialogButtons>
        <Button onClick={onAnother}>{texts.another}</Button>
        <Button ref={done} look="primary" onClick={onClose}>
          {uiTexts.done}
        </Button>
      </DialogButtons>
    </>
  )
}
