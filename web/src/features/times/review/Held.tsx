/** Stamps that wait for an administrator: of nobody's tag, or at a time that cannot be right. */
import { useState } from 'react'
import { api, dataOf } from '../../../api/client'
import type { components } from '../../../api/schema'
import { useHas } from '../../../entities/people/PersonLink'
import { usePeople } from '../../../entities/people/usePeople'
import { useZone } from '../../../entities/settings/useSettings'
import { FormDialog } from '../../../patterns/FormDialog'
import { Stale } from '../../../patterns/Served'
import { succeed } from '../../../patterns/succeed'
import { useChange } from '../../../patterns/useChange'
import { useForm } from '../../../patterns/useForm'
import { keyOf, useGet } from '../../../patterns/useGet'
import { Badge } from '../../../ui/Badge'
import { Button } from '../../../ui/Button'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { MomentInput } from '../../../ui/dates'
import { dayOf, HOME_ZONE, instantOf, momentOf, timeOf } from '../../../ui/days'
import { Question, Trash } from '../../../ui/icons'
import { Buttons, CardList, Section } from '../../../ui/layout'
import { Select } from '../../../ui/Select'
import classes from './Review.module.css'
import { heldTexts as texts } from './texts'
import { CHANGES } from './useReview'

type Stamp = components['schemas']['HeldStamp']
type Act = 'give' | 'book' | 'discard'

const PATH = '/api/companies/{id}/held-stamps'
const TAGLESS = new Set(['held_unknown_tag', 'held_revoked_tag'])
const GIVING = 'manage_employees'
const WHOLE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

/** Nothing stands where nothing waits. */
export function Held({ companyId }: { companyId: string }) {
  const stamps = useGet(PATH, { path: { id: companyId } }, { live: CHANGES })
  const [asked, ask] = useState<{ act: Act; stamp: Stamp } | null>(null)
  const zone = useZone(companyId) ?? HOME_ZONE
  const gives = useHas(GIVING)
  const { data = [] } = stamps
  const close = () => ask(null)
  if (data.length === 0) return stamps.error === null ? null : <Stale query={stamps} title={texts.failed} />
  return (
    <Section title={texts.title} count={data.length}>
      <CardList look="joined" label={texts.title} items={data} keyOf={({ id }) => id}>
        {stamp => {
          const moment = momentOf(new Date(stamp.takenAt), zone)
          const name = texts.nameOf(stamp.tag, moment)
          return (
            <div className={classes.held}>
              <span className={classes.row}>
                <span className={classes.who}>
                  <strong translate="no">{stamp.tag}</strong>
                  <Badge tone="warn" icon={<Question size={16} />}>
                    {texts.states[stamp.state] ?? stamp.state}
                  </Badge>
                </span>
                <span className="muted">{texts.at(moment, stamp.deviceName)}</span>
              </span>
              <Buttons>
                {!TAGLESS.has(stamp.state) ? (
                  <Button aria-label={texts.bookOf(name)} onClick={() => ask({ act: 'book', stamp })}>
                    {texts.book}
                  </Button>
                ) : gives ? (
                  <Button aria-label={texts.giveOf(name)} onClick={() => ask({ act: 'give', stamp })}>
                    {texts.give}
                  </Button>
                ) : (
                  <span className="muted">{texts.noGiving}</span>
                )}
                <Button
                  icon={<Trash size={18} />}
                  aria-label={texts.discardOf(name)}
                  onClick={() => ask({ act: 'discard', stamp })}
                >
                  {texts.discard}
                </Button>
              </Buttons>
            </div>
          )
        }}
      </CardList>
      {asked?.act === 'give' && (
        <Give companyId={companyId} stamp={asked.stamp} zone={zone} onClose={close} />
      )}
      {asked?.act === 'book' && (
        <Book companyId={companyId} stamp={asked.stamp} zone={zone} onClose={close} />
      )}
      {asked?.act === 'discard' && (
        <Discard companyId={companyId} stamp={asked.stamp} zone={zone} onClose={close} />
      )}
    </Section>
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

/** As the stamp says it to the millisecond, where nobody has typed another time. */
function instantIn(field: string, stamp: Stamp, zone: string): string {
  if (field === fieldOf(stamp, zone)) return stamp.takenAt
  const [day = '', time = ''] = field.split('T')
  return instantOf(day, time, zone).toISOString()
}

const whole = (moment: string) => !WHOLE.test(moment) && texts.whole

function Give({ companyId, stamp, zone, onClose }: DialogProps) {
  const people = usePeople(companyId)
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
    rules: { userId: userId => userId === '' && texts.choose, from: whole },
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
    </FormDialog>
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
    rules: { takenAt: whole },
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
