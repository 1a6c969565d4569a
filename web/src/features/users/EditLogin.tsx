/** Changes a person's name, tag and role. Only what was changed is sent; nobody changes their own role. */
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/Button'
import { Dialog, DialogButtons } from '../../ui/Dialog'
import { dayOf, instantOf, timeOf } from '../../ui/days'
import { ChoiceField, TextField } from '../../ui/fields'
import { ErrorNotice, Notice } from '../../ui/Notice'
import { texts as uiTexts } from '../../ui/texts'
import { type Role, tidyTag, type User } from './people'
import { texts } from './texts'
import { useChangeUser } from './useUsers'

interface EditLoginProps {
  companyId: string
  user: User
  self: boolean
  roles: readonly Role[]
  onSaved: (name: string) => void
  onClose: () => void
}

export function EditLogin({ companyId, user, self, roles, onSaved, onClose }: EditLoginProps) {
  const [username, setUsername] = useState(user.username)
  const [tagId, setTagId] = useState(user.tagId ?? '')
  const [tagFrom, setTagFrom] = useState('')
  const [role, setRole] = useState<Role>(user.role ?? 'user')
  const saving = useChangeUser(companyId, user.id)
  const tag = tidyTag(tagId)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const change = {
      ...(username.trim() !== user.username && { username }),
      ...((tag !== (user.tagId ?? '') || tagFrom !== '') && { tagId: tag }),
      ...(tagFrom !== '' && { tagFrom: instantOfField(tagFrom) }),
      ...(role !== user.role && { role }),
    }
    if (Object.keys(change).length === 0) return onClose()
    const saved = await saving.run(change)
    if (saved === null) return
    onSaved(saved.username)
    onClose()
  }

  return (
    <Dialog title={texts.editOf(user.username)} onClose={onClose}>
      <form onSubmit={submit} noValidate style={{ display: 'contents' }}>
        <TextField
          label={texts.username}
          value={username}
          onChange={setUsername}
          error={saving.fields.username}
          maxLength={200}
          autoComplete="off"
          data-autofocus
        />
        <TextField
          label={texts.tagId}
          value={tagId}
          onChange={setTagId}
          onBlur={() => setTagId(tag)}
          error={saving.fields.tagId}
          spelled
          autoComplete="off"
        />
        <TextField
          type="datetime-local"
          label={texts.tagFrom}
          description={texts.tagFromHint}
          value={tagFrom}
          onChange={setTagFrom}
          max={fieldOf(new Date())}
          error={saving.fields.tagFrom}
        />
        {!self && (
          <ChoiceField
            label={texts.role}
            value={role}
            onChange={value => setRole(value as Role)}
            data={roles.map(each => ({ value: each, label: texts.roles[each] }))}
          />
        )}
        {role !== user.role && (
          <Notice>
            <p>{texts.roleEnds}</p>
          </Notice>
        )}
        <ErrorNotice failure={saving.failure} />
        <DialogButtons>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" look="primary" busy={saving.busy}>
            {texts.save}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

/** The instant that a field "2026-11-20T07:58" means at home. */
function instantOfField(value: string): string {
  const [day = '', time = ''] = value.split('T')
  return instantOf(day, time.slice(0, 5)).toISOString()
}

function fieldOf(instant: Date): string {
  return `${dayOf(instant)}T${timeOf(instant)}`
}
