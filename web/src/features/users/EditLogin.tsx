/** Changes a person's name, tag and role. Only what was changed is sent; nobody changes their own role. */
import { type FormEvent, useState } from 'react'
import type { components } from '../../api/schema'
import { Button } from '../../ui/Button'
import { Dialog, DialogButtons } from '../../ui/Dialog'
import { dayOf, instantOf, timeOf } from '../../ui/days'
import { ChoiceField, TextField } from '../../ui/fields'
import { ErrorNotice, Notice } from '../../ui/Notice'
import { texts as uiTexts } from '../../ui/texts'
import { type Role, tidyTag, type User } from './people'
import { texts } from './texts'
import { useChangeUser } from './useUsers'
import { useZone } from './useZone'

interface EditLoginProps {
  companyId: string
  user: User
  self: boolean
  roles: readonly Role[]
  onSaved: (name: string) => void
  onClose: () => void
}

interface Typed {
  username: string
  tagId: string
  tagFrom: string
  role: Role
}

/** Only what differs from what the person has. */
function changeOf(
  user: User,
  { username, tagId, tagFrom, role }: Typed,
  zone: string | null,
): components['schemas']['UserChange'] {
  const tag = tidyTag(tagId)
  return {
    ...(username.trim() !== user.username && { username }),
    ...((tag !== (user.tagId ?? '') || tagFrom !== '') && { tagId: tag }),
    ...(tagFrom !== '' && zone !== null && { tagFrom: instantOfField(tagFrom, zone) }),
    ...(role !== user.role && { role }),
  }
}

export function EditLogin({ companyId, user, self, roles, onSaved, onClose }: EditLoginProps) {
  const [typed, setTyped] = useState<Typed>({
    username: user.username,
    tagId: user.tagId ?? '',
    tagFrom: '',
    role: user.role ?? 'user',
  })
  const saving = useChangeUser(companyId, user.id)
  const zone = useZone(companyId)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const change = changeOf(user, typed, zone)
    if (Object.keys(change).length === 0) return onClose()
    const saved = await saving.run(change)
    if (saved === null) return
    onSaved(saved.username)
    onClose()
  }
  const field = (name: keyof Typed) => ({
    label: texts[name],
    value: typed[name],
    onChange: (value: string) => setTyped(known => ({ ...known, [name]: value })),
    autoComplete: 'off',
  })
  return (
    <Dialog title={texts.editOf(user.username)} stays={saving.busy} onClose={onClose}>
      <form onSubmit={submit} noValidate style={{ display: 'contents' }}>
        <TextField {...field('username')} error={saving.fields.username} maxLength={200} data-autofocus />
        <TextField
          {...field('tagId')}
          error={saving.fields.tagId}
          onBlur={() => field('tagId').onChange(tidyTag(typed.tagId))}
          spelled
        />
        <TextField
          {...field('tagFrom')}
          error={saving.fields.tagFrom}
          type="datetime-local"
          description={`${texts.tagFromHint} ${zone === null ? texts.noZone : texts.inZone(zone)}`}
          max={zone === null ? undefined : fieldOf(new Date(), zone)}
          disabled={zone === null}
        />
        {!self && (
          <ChoiceField
            {...field('role')}
            data={roles.map(each => ({ value: each, label: texts.roles[each] }))}
          />
        )}
        {typed.role !== user.role && (
          <Notice>
            <p>{texts.roleEnds}</p>
          </Notice>
        )}
        <ErrorNotice failure={saving.failure} />
        <DialogButtons>
          <Button onClick={onClose} disabled={saving.busy}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit" look="primary" busy={saving.busy}>
            {texts.save}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

/** The instant that a field "2026-11-20T07:58" means in a zone. */
function instantOfField(value: string, zone: string): string {
  const [day = '', time = ''] = value.split('T')
  return instantOf(day, time.slice(0, 5), zone).toISOString()
}

function fieldOf(instant: Date, zone: string): string {
  return `${dayOf(instant, zone)}T${timeOf(instant, zone)}`
}
