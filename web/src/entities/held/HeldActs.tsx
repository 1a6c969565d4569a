/** Actions for a stamp that waits for an administrator: of an unassigned tag, or at an impossible time. */
import { useState } from 'react'
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import { useChange } from '../../patterns/useChange'
import { useForm } from '../../patterns/useForm'
import { keyOf, useGet } from '../../patterns/useGet'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { dayOf, HOME_ZONE, instantOf, momentOf, timeOf } from '../../ui/days'
import { Trash } from '../../ui/icons'
import { Buttons } from '../../ui/layout'
import { Select } from '../../ui/Select'
import { isWholeMoment, MomentInput } from '../../ui/times'
import { useHas } from '../people/PersonLink'
import { usePeople } from '../people/usePeople'
import { useZone } from '../settings/useSettings'
import { texts } from './texts'

export type Stamp = components['schemas']['HeldStamp']
type Act = 'give' | 'book' | 'discard'

const PATH = '/api/companies/{id}/held-stamps'
const TAGLESS = new Set(['held_unknown_tag', 'held_revoked_tag'])
const GIVING = 'manage_employees'
/** The number of stamps listed before booking. */
const NAMES_SHOWN = 8

/** A company's stamps that wait for a decision. `live`: the event types that refetch them. */
export const useHeld = (companyId: string, live: readonly string[]) =>
  useGet(PATH, { path: { id: companyId } }, { live })

export function HeldActs({ companyId, stamp }: { companyId: string; stamp: Stamp }) {
  const [act, setAct] = useState<Act | null>(null)
  const zone = useZone(companyId) ?? HOME_ZONE
  const gives = useHas(GIVING)
  const name = texts.nameOf(stamp.tag, momentOf(new Date(stamp.takenAt), zone))
  const dialog = { companyId, stamp, zone, onClose: () => setAct(null) }
  return (
    <Buttons>
      {!TAGLESS.has(stamp.state) ? (
        <Button aria-label={texts.bookOf(name)} onClick={() => setAct('book')}>
          {texts.book}
        </Button>
      ) : gives ? (
        <Button aria-label={texts.giveOf(name)} onClick={() => setAct('give')}>
          {texts.give}
        </Button>
      ) : (
        <span className="muted">{texts.noGiving}</span>
      )}
      <Button icon={<Trash size={18} />} aria-label={texts.discardOf(name)} onClick={() => setAct('discard')}>
        {texts.discard}
      </Button>
      {act === 'give' && <Give {...dialog} />}
      {act === 'book' && <Book {...dialog} />}
      {act === 'discard' && <Discard {...dialog} />}
    </Buttons>
  )
}

interface DialogProps {
  companyId: string
  stamp: Stamp
  zone: string
  onClose: () => void
}

const fieldOf = ({ takenAt }: Stamp, zone: string) =>
  `${dayOf(new Date(takenAt), zone)}T${timeOf(new Date(takenAt), zone)}`

/** The stamp's time to the millisecond, unless another one is typed. */
function instantIn(field: string, stamp: Stamp, zone: string): string {
  if (field === fieldOf(stamp, zone)) return stamp.takenAt
  const [day = '', time = ''] = field.split('T')
  return instantOf(day, time, zone).toISOString()
}

const wholeMomentRule = (moment: string) => !isWholeMoment(moment) && texts.whole

function Give({ companyId, stamp, zone, onClose }: DialogProps) {
  const people = usePeople(companyId)
  const heldStamps = useGet(PATH, { path: { id: companyId } })
  const giving = useChange(
    async (body: { tag: string; userId: string; from: string }) =>
      dataOf(
        await api.POST('/api/companies/{id}/held-stamps/assign', {
          params: { path: { id: companyId } },
          body,
        }),
      ),
    texts.giveFailed,
    [keyOf(PATH)],
  )
  const form = useForm({
    initial: { userId: '', from: fieldOf(stamp, zone) },
    rules: { userId: userId => userId === '' && texts.choose, from: wholeMomentRule },
    acting: giving,
    input: ({ userId, from }) => ({ tag: stamp.tag, userId, from: instantIn(from, stamp, zone) }),
    onDone: given => {
      succeed(texts.given(given?.booked ?? 0))
      onClose()
    },
  })
  return (
    <FormDialog title={texts.giveTitle(stamp.tag)} form={form} submit={texts.giveConfirm} onClose={onClose}>
      <p>{texts.giveLead}</p>
      <Select
        {...form.field('userId')}
        label={texts.person}
        searchable
        nothingFoundMessage={texts.nobody}
        data={(people.data ?? []).map(({ id, username }) => ({ value: id, label: username }))}
      />
      <MomentInput {...form.field('from')} label={texts.from} />
      {!wholeMomentRule(form.values.from) && (
        <Booked
          stamps={heldStamps.data ?? [stamp]}
          tag={stamp.tag}
          from={instantIn(form.values.from, stamp, zone)}
          zone={zone}
        />
      )}
    </FormDialog>
  )
}

/** The waiting stamps that will be booked. */
function Booked({
  stamps,
  tag,
  from,
  zone,
}: {
  stamps: readonly Stamp[]
  tag: string
  from: string
  zone: string
}) {
  const booked = stamps
    .filter(
      stamp => stamp.tag === tag && TAGLESS.has(stamp.state) && Date.parse(stamp.takenAt) >= Date.parse(from),
    )
    .sort((a, b) => a.takenAt.localeCompare(b.takenAt))
  return (
    <div role="status">
      <p>{texts.books(booked.length)}</p>
      <ul>
        {booked.slice(0, NAMES_SHOWN).map(({ id, takenAt, deviceName }) => (
          <li key={id}>{texts.at(momentOf(new Date(takenAt), zone), deviceName)}</li>
        ))}
        {booked.length > NAMES_SHOWN && <li>{texts.andMore(booked.length - NAMES_SHOWN)}</li>}
      </ul>
    </div>
  )
}

const useResolve = (companyId: string, stampId: string) =>
  useChange(
    async (body: { action: 'book' | 'discard'; takenAt?: string }) =>
      dataOf(
        await api.POST('/api/companies/{id}/held-stamps/{stampId}/resolve', {
          params: { path: { id: companyId, stampId } },
          body,
        }),
      ),
    texts.resolveFailed,
    [keyOf(PATH)],
  )

function Book({ companyId, stamp, zone, onClose }: DialogProps) {
  const initial = { takenAt: fieldOf(stamp, zone) }
  const form = useForm({
    initial,
    rules: { takenAt: wholeMomentRule },
    acting: useResolve(companyId, stamp.id),
    input: ({ takenAt }) => ({
      action: 'book' as const,
      ...(takenAt !== initial.takenAt && { takenAt: instantIn(takenAt, stamp, zone) }),
    }),
    onDone: () => {
      succeed(texts.booked)
      onClose()
    },
  })
  return (
    <FormDialog title={texts.bookTitle} form={form} submit={texts.book} onClose={onClose}>
      <MomentInput {...form.field('takenAt')} label={texts.takenAt} description={texts.takenAtHint} />
    </FormDialog>
  )
}

function Discard({ companyId, stamp, zone, onClose }: DialogProps) {
  return (
    <ConfirmDialog
      title={texts.discardTitle}
      consequences={texts.discardConsequences}
      confirm={texts.discard}
      danger={<Trash size={18} />}
      acting={useResolve(companyId, stamp.id)}
      input={{ action: 'discard' }}
      done={() => succeed(texts.discarded)}
      onClose={onClose}
    >
      <p>{texts.at(momentOf(new Date(stamp.takenAt), zone), stamp.deviceName)}</p>
    </ConfirmDialog>
  )
}
