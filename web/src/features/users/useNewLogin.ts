/** The state of the form for a new login: what was typed, what is missing, what the service said, what it made. */
import { type FormEvent, useRef, useState } from 'react'
import { focusField, isBlank } from '../../ui/blanks'
import { type Role, tidyTag } from './people'
import { texts } from './texts'
import { useCreateUser } from './useUsers'

export interface Fields {
  username: string
  password: string
  tagId: string
}

interface Created extends Pick<Fields, 'username' | 'password'> {
  id: string
  companyId: string
}

const EMPTY: Fields = { username: '', password: '', tagId: '' }
const NAMES = ['username', 'password', 'tagId'] as const
const LEAST: Role = 'user'

/** What is typed outlives a change of company; what came of it is shown under its own company alone. */
export function useNewLogin(companyId: string | null, roles: readonly Role[]) {
  const [fields, setFields] = useState(EMPTY)
  const [chosenRole, setRole] = useState(LEAST)
  /** Whether somebody has tried to create it without all that it takes: before that no field complains. */
  const [tried, setTried] = useState(false)
  const [created, setCreated] = useState<Created | null>(null)
  const [askedOf, setAskedOf] = useState<string | null>(null)
  const creating = useCreateUser(companyId ?? '')
  const form = useRef<HTMLFormElement>(null)

  const role = roles.includes(chosenRole) ? chosenRole : LEAST
  const blank = NAMES.find(name => isBlank(fields, name))
  const incomplete = companyId === null || blank !== undefined
  const refused = askedOf === companyId
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(incomplete)
    if (incomplete) {
      creating.reset()
      if (blank !== undefined) focusField(form.current, blank)
      return
    }
    setAskedOf(companyId)
    const user = await creating.run({ ...fields, tagId: tidyTag(fields.tagId), companyId, role })
    if (user === null) return
    setCreated({ id: user.id, companyId, username: user.username, password: fields.password })
    setFields(EMPTY)
    setRole(LEAST)
    focusField(form.current, 'username')
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
      error: tried && isBlank(fields, name) ? texts.fillIn : refused ? creating.fields[name] : undefined,
    }),
    tidyTag: () => set('tagId', tidyTag(fields.tagId)),
    role,
    setRole,
    incomplete: tried && incomplete,
    busy: creating.busy,
    failure: refused ? creating.failure : null,
    created: created?.companyId === companyId ? created : null,
    putAway: () => {
      setCreated(null)
      focusField(form.current, 'username')
    },
  }
}
