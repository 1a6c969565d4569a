/** "Dienst übergeben": asks a colleague to take over a duty. */
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useReachable } from '../../api/connectivity'
import type { Session } from '../../api/session'
import { texts as apiTexts } from '../../api/texts'
import { succeed } from '../../patterns/succeed'
import { texts as patternTexts } from '../../patterns/texts'
import type { Stored } from '../../patterns/useStored'
import { Button } from '../../ui/Button'
import { Dialog, DialogButtons } from '../../ui/Dialog'
import { longDay } from '../../ui/days'
import { Check, Swap } from '../../ui/icons'
import { Notice } from '../../ui/Notice'
import { now } from '../../ui/now'
import { Select } from '../../ui/Select'
import { texts as uiTexts } from '../../ui/texts'
import classes from './HandOverDialog.module.css'
import { texts } from './handOverTexts'
import { type Candidate, type Duty, type SwapRequest, timesOf } from './plan'
import { useCandidates, useHandOver, useReload } from './usePlan'

/** How long "Anfrage gesendet." is shown before the dialog closes. */
const READ_MS = 900
const WIDTH = 680
/** From this number of people on, the list has a filter. */
const MANY = 12

interface HandOverDialogProps {
  session: Session
  duty: Duty
  /** The person of a request that was refused later; else null. */
  to: string | null
  /** All colleagues, in case the availability is unknown. */
  colleagues: Stored<Candidate[]>
  onAsked: (asked: SwapRequest) => void
  onClose: () => void
}

export function HandOverDialog({
  session,
  duty,
  to: before,
  colleagues,
  onAsked,
  onClose,
}: HandOverDialogProps) {
  const choice = useChoice(session, duty.date, colleagues)
  const [to, setTo] = useState(before)
  const [missing, setMissing] = useState(false)
  const [sent, setSent] = useState(false)
  const asking = useHandOver(session)
  const reload = useReload(session.userId)
  const field = useRef<HTMLInputElement>(null)
  const candidate = choice.people.find(({ id }) => id === to)
  const times = timesOf(duty)
  useLater(sent, onClose)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (asking.busy || sent) return
    setMissing(to === null)
    if (to === null) return field.current?.focus()
    const outcome = await asking.run({ date: duty.date, to })
    // The refusal may be due to changes meanwhile: of availability, or of requests.
    if (outcome === null) return void reload()
    if (outcome.state === 'queued') {
      succeed(patternTexts.queued)
      return onClose()
    }
    onAsked({ ...unnamed(duty.date), to, toName: candidate?.username ?? '', ...outcome.data })
    setSent(true)
  }

  const choose = (id: string) => {
    setTo(id)
    setMissing(false)
    asking.reset()
  }

  return (
    <Dialog title={texts.handOver} size={WIDTH} busy={asking.busy} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p>{texts.handOverLead}</p>
        <p className={classes.when}>
          <time dateTime={duty.date}>{longDay(duty.date)}</time>
          {times !== null && <span className={classes.times}>{times}</span>}
        </p>
        <div className={classes.field}>
          <Select
            ref={field}
            label={texts.recipient}
            placeholder={texts.chooseRecipient}
            description={choice.hint}
            data={choice.people.map(({ id, username, available }) => ({
              value: id,
              label: available ? username : texts.notAvailable(username),
              disabled: !available,
            }))}
            value={to}
            onChange={choose}
            searchable={choice.people.length > MANY}
            nothingFoundMessage={choice.people.length > 0 ? texts.nobodyFound : choice.hint}
            readOnly={asking.busy || sent}
            data-autofocus
          />
          {choice.retry !== null && (
            <Button look="plain" className={classes.retry ?? ''} onClick={choice.retry}>
              {uiTexts.retry}
            </Button>
          )}
        </div>
        {candidate !== undefined && <p className={classes.chosen}>{texts.chosen(candidate.username)}</p>}
        <Status
          busy={asking.busy}
          sent={sent}
          wrong={missing ? texts.pleaseChoose : sentenceOf(asking.failure)}
        />
        <DialogButtons>
          <Button onClick={onClose} disabled={asking.busy}>
            {uiTexts.cancel}
          </Button>
          <Button
            type="submit"
            look="primary"
            icon={<Swap size={20} />}
            busy={asking.busy}
            aria-disabled={to === null || asking.busy || sent}
          >
            {asking.busy ? texts.sending : texts.send}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

function Status({ busy, sent, wrong }: { busy: boolean; sent: boolean; wrong: string | null }) {
  return (
    <>
      <div role="status" className={classes.status}>
        {busy && <p>{texts.sendingRequest}</p>}
        {sent && (
          <p className={classes.sent}>
            <Check size={20} />
            {texts.sent}
          </p>
        )}
      </div>
      {wrong !== null && !busy && !sent && <Notice tone="error" live="assertive" title={wrong} />}
    </>
  )
}

/** The service's sentence, or the default. */
function sentenceOf(failure: { title: string; detail: string } | null): string | null {
  if (failure === null) return null
  return failure.detail === apiTexts.unreachable ? failure.title : failure.detail
}

interface Choice {
  people: readonly Candidate[]
  hint: string | undefined
  retry: (() => void) | null
}

/** The choice: available people and, marked, unavailable ones; all if the availability is unknown. */
function useChoice(session: Session, date: string, colleagues: Stored<Candidate[]>): Choice {
  const reachable = useReachable()
  const candidates = useCandidates(session, date)
  const reload = () => {
    void candidates.refetch()
    void colleagues.refetch()
  }
  if (candidates.data !== undefined) {
    const people = [...candidates.data].sort((a, b) => Number(b.available) - Number(a.available))
    const hint =
      people.length === 0
        ? texts.noColleagues
        : people.some(({ available }) => available)
          ? undefined
          : texts.nobodyAvailable
    return { people, hint, retry: null }
  }
  if (candidates.error === null && reachable) {
    return { people: [], hint: texts.loadingColleagues, retry: null }
  }
  const people = colleagues.data ?? []
  if (!reachable) {
    return {
      people,
      hint: people.length > 0 ? texts.availabilityOffline : texts.colleaguesOffline,
      retry: null,
    }
  }
  return {
    people,
    hint: people.length > 0 ? texts.availabilityFailed : texts.colleaguesFailed,
    retry: reload,
  }
}

function useLater(due: boolean, act: () => void) {
  const run = useEffectEvent(act)
  useEffect(() => {
    if (!due) return
    const timer = setTimeout(() => run(), READ_MS)
    return () => clearTimeout(timer)
  }, [due])
}

/** A request sent by another tab has no answer here, and no id until the refetch. */
const unnamed = (date: string) => ({ id: '', date, createdAt: now().toISOString() })
