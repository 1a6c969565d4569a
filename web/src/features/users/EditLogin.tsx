/** Changes a person's name, tag and role. Sends only changes; administrators cannot change their own role. */
import type { components } from '../../api/schema'
import { useSession } from '../../api/session'
import { isUnreadable } from '../../api/tags'
import { type Role, tidyTag, type User } from '../../entities/people/people'
import { useZone } from '../../entities/settings/useSettings'
import { FormDialog } from '../../patterns/FormDialog'
import { filled, useForm } from '../../patterns/useForm'
import { dayOf, instantOf, timeOf } from '../../ui/days'
import { Checkbox, SpelledInput, TextInput } from '../../ui/fields'
import { Notice } from '../../ui/Notice'
import { now } from '../../ui/now'
import { Select } from '../../ui/Select'
import { isWholeMoment, MomentInput } from '../../ui/times'
import { type HeldStamp, HeldTag, heldOf } from './HeldTag'
import { texts } from './texts'
import { useChangeUser } from './useUsers'

interface EditLoginProps {
  companyId: string
  user: User
  self: boolean
  roles: readonly Role[]
  failed?: string
  /** The stamps that wait for a person. */
  held?: readonly HeldStamp[]
  onSaved: (name: string) => void
  onClose: () => void
}

type Change = components['schemas']['UserChange']

type Typed = {
  username: string
  tagId: string
  tagFrom: string
  role: Role
  worksCouncil: boolean
  withHeld: boolean
}

/** The changed values; null without a change. */
function changeOf(user: User, typed: Typed, zone: string | null, held: readonly HeldStamp[]): Change | null {
  const { username, tagId, tagFrom, role, worksCouncil, withHeld } = typed
  const tag = tidyTag(tagId)
  const [first] = withHeld && tagFrom === '' && tag !== user.tagId ? heldOf(held, tag) : []
  const change = {
    ...(username.trim() !== user.username && { username }),
    ...((tag !== (user.tagId ?? '') || tagFrom !== '') && { tagId: tag }),
    ...(tagFrom !== '' && zone !== null && { tagFrom: instantOfField(tagFrom, zone) }),
    ...(first && { tagFrom: first.takenAt }),
    ...(role !== user.role && { role }),
    ...(role === 'user' && worksCouncil !== (user.worksCouncil ?? false) && { worksCouncil }),
  }
  return Object.keys(change).length === 0 ? null : change
}

const RULES = {
  username: filled(texts.fillIn),
  tagFrom: (moment: string) => moment !== '' && !isWholeMoment(moment) && texts.dayAndTime,
}

export function EditLogin(props: EditLoginProps) {
  const { companyId, user, self, roles, failed, held = [], onSaved, onClose } = props
  const saving = useChangeUser(companyId, user.id, failed)
  const zone = useZone(companyId)
  // The company's administrator assigns tags; the operator only sees whether one is assigned.
  const ofCompany = useSession()?.role === 'companyAdmin'
  const initial: Typed = {
    username: user.username,
    tagId: user.tagId ?? '',
    tagFrom: '',
    role: user.role ?? 'user',
    worksCouncil: user.worksCouncil ?? false,
    withHeld: true,
  }
  const form = useForm({
    initial,
    rules: RULES,
    acting: saving,
    input: typed => changeOf(user, typed, zone, held),
    onDone: saved => {
      if (saved !== null) onSaved(saved.username)
      onClose()
    },
  })
  return (
    <FormDialog title={texts.editOf(user.username)} form={form} onClose={onClose} submit={texts.save}>
      <TextInput
        {...form.field('username')}
        label={texts.username}
        maxLength={200}
        autoComplete="off"
        data-autofocus
      />
      <SpelledInput
        {...form.field('tagId')}
        label={texts.tagId}
        description={isUnreadable(tidyTag(form.values.tagId)) && texts.unreadableTagHint}
        onBlur={() => form.set('tagId', tidyTag(form.values.tagId))}
        autoComplete="off"
      />
      {tidyTag(form.values.tagId) !== user.tagId && form.values.tagFrom === '' && (
        <HeldTag held={heldOf(held, tidyTag(form.values.tagId))} tick={form.tick('withHeld')} />
      )}
      <MomentInput
        {...form.field('tagFrom')}
        label={texts.tagFrom}
        description={`${texts.tagFromHint} ${zone === null ? texts.noZone : texts.inZone(zone)}`}
        max={zone === null ? undefined : fieldOf(now(), zone)}
        disabled={zone === null}
      />
      {!self && (
        <Select
          {...form.field('role')}
          label={texts.role}
          data={roles.map(role => ({ value: role, label: texts.roles[role] }))}
        />
      )}
      {(ofCompany || user.worksCouncil) && form.values.role === 'user' && (
        <Checkbox
          {...form.tick('worksCouncil')}
          label={texts.worksCouncil}
          description={texts.worksCouncilHint}
        />
      )}
      {(form.values.role !== user.role || form.values.worksCouncil !== initial.worksCouncil) && (
        <Notice>
          <p>{texts.roleEnds}</p>
        </Notice>
      )}
    </FormDialog>
  )
}

/** The instant of a field's value "2026-11-20T07:58" in a zone. */
function instantOfField(value: string, zone: string): string {
  const [day = '', time = ''] = value.split('T')
  return instantOf(day, time.slice(0, 5), zone).toISOString()
}

function fieldOf(instant: Date, zone: string): string {
  return `${dayOf(instant, zone)}T${timeOf(instant, zone)}`
}
