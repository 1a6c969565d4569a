/** The state of the form for a new login: what was typed, what is missing, what the service said, what it made. */
import { type FormEvent, useRef, useState } from 'react'
import { type Role, tidyTag } from './people'
import { texts } from './texts'
import { useCreateUser } from './useUsers'

export interface Fields {
  username: string
  password: string
  tagId: string
}

const EMPTY: Fields = { username: '', password: '', tagId: '' }
const NAMES = ['username', 'password', 'tagId'] as const

function isEmpty(fields: Fields, name: keyof Fields): boolean {
  // Blanks are no name, but may be somebody's password.
  return (name === 'password' ? fields[name] : fields[name].trim()) === ''
}

export function useNewLogin(companyId: string | null) {
  const [fields, setFields] = useState(EMPTY)
  const [role, setRole] = useState<Role>('user')
  /** Whether somebody has tried to create it without all that it takes: before that no field complains. */
  const [incomplete, setIncomplete] = useState(false)
  const [created, setCreated] = useState<Pick<Fields, 'username' | 'password'> | null>(null)
  const creating = useCreateUser(companyId ?? '')
  const form = useRef<HTMLFormElement>(null)

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
    const user = await creating.run({ ...fields, tagId: tidyTag(fields.tagId), companyId, role })
    if (user === null) return
    setCreated({ username: user.username, password: fields.password })
    setFields(EMPTY)
    focus('username')
  }
  const set = (name: keyof Fields, value: string) => setFields(known => ({ ...known, [name]: value }))
  return {
    form,
    submit,
    set,
    /** What a field of the form takes. */
    field: (name: keyof Fields) => ({
      name,
      label: texts[name],
      value: fields[name],
      onChange: (value: string) => set(name, value),
      error: incomplete && isEmpty(fields, name) ? texts.fillIn : creating.fields[name],
    }),
    tidyTag: () => set('tagId', tidyTag(fields.tagId)),
    role,
    setRole,
    incomplete,
    busy: creating.busy,
    failure: creating.failure,
    created,
    putAway: () => setCreated(null),
  }
}
