/** The form for a new login. What it made is shown with its password until it is put away: nobody sees it again. */
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../../ui/Button'
import { Copyable } from '../../ui/Copyable'
import { ChoiceField, PasswordField, TextField } from '../../ui/fields'
import { Check, Close, Dice } from '../../ui/icons'
import { ErrorNotice, Notice } from '../../ui/Notice'
import { texts as uiTexts } from '../../ui/texts'
import { generatedPassword } from './generated'
import classes from './NewLogin.module.css'
import { type Role, tidyTag } from './people'
import { texts } from './texts'
import { useCreateUser } from './useUsers'

interface NewLoginProps {
  companyId: string | null
  roles: readonly Role[]
}

interface Fields {
  username: string
  password: string
  tagId: string
}

const EMPTY: Fields = { username: '', password: '', tagId: '' }
const NAMES = ['username', 'password', 'tagId'] as const

function isEmpty(fields: Fields, name: keyof Fields): boolean {
  return (name === 'password' ? fields[name] : fields[name].trim()) === ''
}

export function NewLogin({ companyId, roles }: NewLoginProps) {
  const [fields, setFields] = useState(EMPTY)
  const [role, setRole] = useState<Role>('user')
  const [visible, setVisible] = useState(false)
  /** Whether somebody has tried to create it: before that no field complains. */
  const [incomplete, setIncomplete] = useState(false)
  const [created, setCreated] = useState<Pick<Fields, 'username' | 'password'> | null>(null)
  const creating = useCreateUser(companyId ?? '')
  const form = useRef<HTMLFormElement>(null)

  const set = (name: keyof Fields) => (value: string) => setFields(known => ({ ...known, [name]: value }))
  const focus = (name: keyof Fields) => {
    const field = form.current?.elements.namedItem(name)
    if (field instanceof HTMLInputElement) field.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const empty = NAMES.find(name => isEmpty(fields, name))
    setIncomplete(companyId === null || empty !== undefined)
    if (companyId === null || empty !== undefined) {
      creating.reset()
      if (empty !== undefined) focus(empty)
      return
    }
    const tagId = tidyTag(fields.tagId)
    const user = await creating.run({ ...fields, tagId, companyId, role })
    if (user === null) return
    setCreated({ username: user.username, password: fields.password })
    setFields(EMPTY)
    setVisible(false)
    focus('username')
  }
  const complaint = (name: keyof Fields) =>
    incomplete && isEmpty(fields, name) ? texts.fillIn : creating.fields[name]

  return (
    <>
      <form ref={form} className={classes.form} onSubmit={submit} noValidate aria-label={texts.newLogin}>
        <h2 className={classes.title}>{texts.newLogin}</h2>
        <TextField
          name="username"
          label={texts.username}
          value={fields.username}
          onChange={set('username')}
          error={complaint('username')}
          maxLength={200}
          autoComplete="off"
        />
        <div className={classes.password}>
          <PasswordField
            name="password"
            label={texts.password}
            value={fields.password}
            onChange={set('password')}
            error={complaint('password')}
            visible={visible}
            onVisibilityChange={setVisible}
            autoComplete="new-password"
          />
          <Button
            icon={<Dice size={18} />}
            onClick={() => {
              set('password')(generatedPassword())
              setVisible(true)
            }}
          >
            {texts.generate}
          </Button>
        </div>
        <TextField
          name="tagId"
          label={texts.tagId}
          value={fields.tagId}
          onChange={set('tagId')}
          onBlur={() => set('tagId')(tidyTag(fields.tagId))}
          error={complaint('tagId')}
          spelled
          placeholder={texts.tagHint}
          autoComplete="off"
        />
        <ChoiceField
          label={texts.role}
          value={role}
          onChange={value => setRole(value as Role)}
          data={roles.map(each => ({ value: each, label: texts.roles[each] }))}
        />
        {incomplete && (
          <div className={classes.whole}>
            <Notice tone="error" live="assertive">
              <p>{texts.incomplete}</p>
            </Notice>
          </div>
        )}
        {creating.failure !== null && (
          <div className={classes.whole}>
            <ErrorNotice failure={creating.failure} />
          </div>
        )}
        <div className={classes.whole}>
          <Button type="submit" look="primary" busy={creating.busy}>
            {texts.create}
          </Button>
        </div>
      </form>
      {created !== null && <Created {...created} onClose={() => setCreated(null)} />}
    </>
  )
}

interface CreatedProps {
  username: string
  password: string
  onClose: () => void
}

function Created({ username, password, onClose }: CreatedProps) {
  return (
    <section className={classes.done} aria-label={texts.created(username)}>
      <div className={classes.doneHead}>
        <p className={classes.said} role="status">
          <Check size={20} />
          {texts.created(username)}
        </p>
        <button type="button" className={classes.close} aria-label={uiTexts.close} onClick={onClose}>
          <Close size={20} />
        </button>
      </div>
      <p>{texts.createdHint}</p>
      <Copyable key={password} text={password} label={texts.passwordOf(username)} />
    </section>
  )
}
