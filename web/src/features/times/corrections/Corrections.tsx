/**
 * Corrections on the page of the user's own times: open ones, unsent ones, and the dialogs, whose code is fetched on
 * demand.
 */

import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { useReachable } from '../../../api/connectivity'
import { fetched, withMantine } from '../../../patterns/fetched'
import { RefreshFailed } from '../../../patterns/QueryView'
import { useUnsent } from '../../../patterns/sending'
import { Badge } from '../../../ui/Badge'
import { Button } from '../../../ui/Button'
import { dayInMonth, momentOf, shortDay } from '../../../ui/days'
import { span } from '../../../ui/durations'
import { useFocusPassedOn } from '../../../ui/focus'
import { Clock, Dots, Pencil, Plus, Trash } from '../../../ui/icons'
import { texts as uiTexts } from '../../../ui/texts'
import { usePanel } from '../../../ui/usePanel'
import type { TimeEntry } from '../sheet'
import classes from './Corrections.module.css'
import { type Draft, draftOf, draftOfWish, emptyDraft } from './draft'
import { texts } from './texts'
import { type Correction, type CorrectionWish, KIND, useAdministers, useCorrections } from './useCorrections'

const CorrectionDialog = fetched(
  withMantine(async () => (await import('./CorrectionDialog')).CorrectionDialog),
  null,
)
const DeleteDialog = fetched(
  withMantine(async () => (await import('./DeleteDialog')).DeleteDialog),
  null,
)
const WithdrawDialog = fetched(
  withMantine(async () => (await import('./WithdrawDialog')).WithdrawDialog),
  null,
)
const UnsentItems = fetched(async () => (await import('../../../patterns/Unsent')).UnsentItems, null)

interface Acts {
  query: ReturnType<typeof useCorrections>
  withdraw: (correction: Correction) => void
  /** Days with an open correction, or with one on the device. */
  open: ReadonlySet<string>
  correct: (draft: Draft) => void
  remove: (entry: TimeEntry) => void
}

const Context = createContext<Acts | null>(null)

interface CorrectionsProps {
  userId: string
  children: ReactNode
}

/** Wraps the month: its children can request corrections, and delete entries. */
export function Corrections({ userId, children }: CorrectionsProps) {
  const corrections = useCorrections(userId)
  const unsent = useUnsent(KIND)
  const [draft, setDraft] = useState<Draft | null>(null)
  const [deleted, setDeleted] = useState<TimeEntry | null>(null)
  const [withdrawn, setWithdrawn] = useState<Correction | null>(null)
  const open = useMemo(
    () =>
      new Set([
        ...(corrections.data ?? []).map(({ date }) => date),
        ...unsent.filter(({ refusal }) => refusal === null).map(({ body }) => (body as CorrectionWish).date),
      ]),
    [corrections.data, unsent],
  )
  const acts: Acts = {
    query: corrections,
    open,
    correct: setDraft,
    remove: setDeleted,
    withdraw: setWithdrawn,
  }
  // Stable, since the dialog depends on it.
  const close = useCallback(() => setDraft(null), [])
  return (
    <Context value={acts}>
      {children}
      {draft !== null && (
        <CorrectionDialog
          key={`${draft.entryId} ${draft.date}`}
          userId={userId}
          draft={draft}
          open={open}
          onClose={close}
        />
      )}
      {deleted !== null && <DeleteDialog userId={userId} entry={deleted} onClose={() => setDeleted(null)} />}
      {withdrawn !== null && (
        <WithdrawDialog userId={userId} correction={withdrawn} onClose={() => setWithdrawn(null)} />
      )}
    </Context>
  )
}

/** A month's open corrections, a line each, and unsent ones; renders nothing without any. */
export function PendingCorrections({ month }: { month: string }) {
  const acts = useContext(Context)
  const unsent = useUnsent(KIND)
  const reachable = useReachable()
  if (acts === null) return null
  const { query, withdraw } = acts
  const monthCorrections = (query.data ?? []).filter(({ date }) => date.startsWith(month))
  const failed = query.data === undefined && query.error !== null && reachable
  if (monthCorrections.length === 0 && unsent.length === 0 && !failed) return null
  return (
    <section className={classes.pending} aria-label={texts.pendingTitle}>
      {failed && <RefreshFailed query={query} title={texts.pendingFailed} />}
      {monthCorrections.length > 0 && (
        <ul className={classes.list}>
          {monthCorrections.map(correction => (
            <Pending key={correction.id} correction={correction} onWithdraw={() => withdraw(correction)} />
          ))}
        </ul>
      )}
      {unsent.length > 0 && (
        <UnsentItems items={unsent} nameOf={nameOfWish} onEdit={body => acts.correct(draftOfWish(body))} />
      )}
    </section>
  )
}

interface PendingProps {
  correction: Correction
  onWithdraw: () => void
}

/** A withdrawn correction disappears with the button that has the focus. */
function Pending({ correction, onWithdraw }: PendingProps) {
  const row = useFocusPassedOn<HTMLLIElement>()
  const { weekday, date } = shortDay(correction.date)
  return (
    <li ref={row} className={classes.row}>
      <Clock size={18} />
      <p className={classes.what}>
        <span className={classes.kind}>{texts.correction}</span>{' '}
        <span className="tabular">
          {weekday} {date} {spanOf(correction)}
        </span>
        <span className={classes.beyond}>
          {' '}
          {texts.pendingSince(uiTexts.clock(momentOf(new Date(correction.createdAt))))}
        </span>
      </p>
      <Button
        look="plain"
        className={classes.withdraw ?? ''}
        aria-label={texts.withdrawOf(dayInMonth(correction.date))}
        onClick={onWithdraw}
      >
        {texts.withdraw}
      </Button>
    </li>
  )
}

function nameOfWish(body: unknown): string {
  const wish = body as CorrectionWish
  return texts.pendingWord(dayInMonth(wish.date), spanOf(wish))
}

const spanOf = ({ newStart, newEnd }: Pick<Correction, 'newStart' | 'newEnd'>) =>
  span(newStart ?? texts.missing, newEnd ?? texts.missing)

/** The page's own button: for a day without stamps. */
export function AskForCorrection() {
  const acts = useContext(Context)
  const words = useAdministers() ? texts.deciding : texts.asking
  if (acts === null) return null
  return (
    <Button icon={<Plus size={18} />} onClick={() => acts.correct(emptyDraft())}>
      {words.open}
    </Button>
  )
}

/** An entry's hint: a correction is open, or a link to add what is missing. */
export function EntryNeeds({ entry }: { entry: TimeEntry }) {
  const acts = useContext(Context)
  if (acts === null || entry.running) return null
  if (acts.open.has(entry.date)) {
    return (
      <Badge tone="warn" icon={<Clock />}>
        {texts.pending}
      </Badge>
    )
  }
  const missing = missingOf(entry)
  if (missing === null) return null
  return (
    <Button className={classes.needed ?? ''} onClick={() => acts.correct(draftOf(entry))}>
      {missing}
    </Button>
  )
}

/** An entry's further actions, in a menu. */
export function EntryActs({ entry }: { entry: TimeEntry }) {
  const acts = useContext(Context)
  if (acts === null || entry.running) return null
  const correctable = !acts.open.has(entry.date) && missingOf(entry) === null
  return <EntryMenu entry={entry} acts={acts} correctable={correctable} />
}

/** Whether `EntryNeeds` has any content. */
export function useNeeds(entry: TimeEntry): boolean {
  const acts = useContext(Context)
  return acts !== null && !entry.running && (acts.open.has(entry.date) || missingOf(entry) !== null)
}

const missingOf = ({ start, end }: TimeEntry) =>
  start === null ? texts.addStart : end === null ? texts.addEnd : null

interface EntryMenuProps {
  entry: TimeEntry
  acts: Acts
  correctable: boolean
}

/** A deleted entry disappears with its menu. */
function EntryMenu({ entry, acts, correctable }: EntryMenuProps) {
  const place = useFocusPassedOn<HTMLSpanElement>()
  const { open, button, panel, toggle, close } = usePanel<HTMLDivElement>()
  const choose = (act: () => void) => () => {
    close()
    button.current?.focus()
    act()
  }
  return (
    <span ref={place} className={classes.place}>
      <button
        ref={button}
        type="button"
        className={classes.dots}
        aria-expanded={open}
        aria-label={texts.actsOf(dayInMonth(entry.date), entry.start ?? entry.end ?? '')}
        onClick={toggle}
      >
        <Dots size={20} />
      </button>
      {open && (
        <div ref={panel} className={classes.menu}>
          {correctable && (
            <button
              type="button"
              className={classes.act}
              onClick={choose(() => acts.correct(draftOf(entry)))}
            >
              <Pencil size={18} />
              {texts.correct}
            </button>
          )}
          <button type="button" className={classes.act} onClick={choose(() => acts.remove(entry))}>
            <Trash size={18} />
            {texts.delete}
          </button>
        </div>
      )}
    </span>
  )
}
