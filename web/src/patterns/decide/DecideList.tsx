/**
 * A list with a panel next to it, below it on a phone, for deciding; each decision moves on to the next item.
 *
 * - label, items, keyOf, nameOf: the list's name, the waiting items, and an item's key and name
 * - row: (item) its line in the list
 * - detail: (item) what the decision needs, in the panel
 * - actions: (item) each {key, label, act(item, sentence), tone, needsSentence}. `key` is its letter, by convention `a`
 *   and `d`; an action with another meaning has another letter. `tone` is 'primary', or 'danger' for a refusal, which
 *   has an icon and is not filled, since it can be undone and is next to the main action. `needsSentence` requires a
 *   typed sentence. `act` returns a promise and sends with `keepalive: true`, since leaving the page sends at once. The
 *   error `already_decided` names who decided meanwhile, and removes the item's actions. `again` {code, key, label,
 *   act} replaces an action once the service has refused it with that code: a second confirmation
 * - kindOf: (item) its kind in words: more than eight items are grouped by kind, until the list is left
 * - failed: the sentence for a decision that could not be sent, without an explanation from the service
 * - empty: the text for an empty list
 *
 * Keys: j and k move on and back, Enter enters the panel, x selects, z undoes within ten seconds, ? shows the keys.
 * Nothing is sent before the ten seconds are over (`useDeciding`). Selected items are decided together, by the actions
 * that all of them share.
 */
import { Fragment, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Checkbox, Textarea } from '../../ui/fields'
import { grouped } from '../../ui/grouped'
import { Alert, Close, Question } from '../../ui/icons'
import { Buttons, Facts } from '../../ui/layout'
import { Notice } from '../../ui/Notice'
import { useSecondsUntil } from '../../ui/useNow'
import classes from './DecideList.module.css'
import { texts } from './texts'
import { type Outcome, type Pending, useDeciding } from './useDeciding'

export interface Action<Item> {
  key: string
  label: string
  act: (item: Item, sentence: string) => Promise<unknown>
  tone?: 'primary' | 'danger'
  needsSentence?: boolean
  again?: { code: string; key: string; label: string; act: Action<Item>['act'] }
}

/** The shortest limit among all decisions. */
const SENTENCE_LIMIT = 500

/** Up to this many items are not grouped. */
const FEW = 8

interface DecideListProps<Item> {
  label: string
  items: readonly Item[]
  keyOf: (item: Item) => string
  nameOf: (item: Item) => string
  row: (item: Item) => ReactNode
  detail: (item: Item) => ReactNode
  actions: (item: Item) => readonly Action<Item>[]
  kindOf?: (item: Item) => string
  failed: string
  empty: ReactNode
  /** The key of the item that a link led to. */
  first?: string | undefined
}

export function DecideList<Item>(props: DecideListProps<Item>) {
  const { label, keyOf, nameOf, row, detail, failed, empty } = props
  const [many, setMany] = useState(false)
  if (!many && props.items.length > FEW) setMany(true)
  const kindOf = many ? props.kindOf : undefined
  const items = kindOf === undefined ? props.items : grouped(props.items, kindOf).flat()
  const deciding = useDeciding<Item>(items, keyOf, failed)
  const actions = (item: Item): readonly Action<Item>[] => {
    const code = deciding.outcomes.get(keyOf(item))?.code ?? null
    return props
      .actions(item)
      .map(action => (action.again?.code === code ? { ...action, ...action.again } : action))
  }
  /** The current item, and whether its row should take the focus; a new object each time. */
  const [at, setAt] = useState({ key: props.first ?? '', focus: false })
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [help, setHelp] = useState(false)
  /** The typed sentences, by item. */
  const [sentences, setSentences] = useState<Readonly<Record<string, string>>>({})
  const [wrong, setWrong] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const open = items.filter(item => !deciding.gone.has(keyOf(item)))
  const place = Math.max(
    0,
    open.findIndex(item => keyOf(item) === at.key),
  )
  const present = open[place]
  const tickedItems = open.filter(item => ticked.has(keyOf(item)))
  const targets = tickedItems.length > 0 ? tickedItems : present === undefined ? [] : [present]
  const able = commonOf(
    targets.filter(item => deciding.outcomes.get(keyOf(item))?.over !== true).map(actions),
    targets,
  )

  // Read-only users cannot select.
  const decides = open.some(item => actions(item).length > 0)
  const presentKey = present === undefined ? '' : keyOf(present)
  const sentence = sentences[presentKey] ?? ''

  const show = (item: Item | undefined) => {
    if (item !== undefined) setAt({ key: keyOf(item), focus: true })
    setWrong(false)
  }
  useEffect(() => {
    if (!at.focus) return
    const row = box.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(at.key)}"]`)
    // Without items, the list's box keeps the keys.
    ;(row ?? box.current)?.focus()
  }, [at])

  // The current item may disappear, with the focused element: the next item takes the focus then.
  const lastKey = useRef(presentKey)
  useEffect(() => {
    if (lastKey.current !== presentKey && document.activeElement === document.body)
      panel.current?.focus({ preventScroll: true })
    lastKey.current = presentKey
  }, [presentKey])

  const tick = (item: Item) => {
    const key = keyOf(item)
    setTicked(new Set(ticked.has(key) ? [...ticked].filter(each => each !== key) : [...ticked, key]))
  }
  const decide = (action: Action<Item>) => {
    const trimmedSentence = sentence.trim()
    if (action.needsSentence === true && trimmedSentence === '') {
      setWrong(true)
      return field.current?.focus()
    }
    const keys = new Set(targets.map(keyOf))
    const next = [...open.slice(place), ...open.slice(0, place).reverse()].find(
      item => !keys.has(keyOf(item)),
    )
    deciding.decide(targets, texts.many(action.label, targets.length), async item => {
      // Each by its own action: the letter identifies the action for each item.
      await actions(item)
        .find(({ key }) => key === action.key)
        ?.act(item, trimmedSentence)
    })
    setTicked(new Set())
    setSentences({})
    show(next ?? present)
  }
  const undo = () => show(deciding.undo()[0])

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isForTheList(event, box.current)) return
    const action = able.find(({ key }) => key === event.key)
    const steps: Record<string, () => void> = {
      j: () => show(open[place + 1]),
      k: () => show(open[place - 1]),
      x: () => decides && present !== undefined && tick(present),
      z: undo,
      '?': () => setHelp(true),
    }
    if ((event.target as Node).contains(box.current)) steps.Enter = () => panel.current?.focus()
    const step = action === undefined ? steps[event.key] : () => decide(action)
    if (step === undefined) return
    event.preventDefault()
    step()
  })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [])

  const last = deciding.pending.at(-1)
  const outcome = present === undefined ? undefined : deciding.outcomes.get(keyOf(present))
  return (
    <div ref={box} className={classes.decide} tabIndex={-1}>
      <p className={`${classes.chosen} muted`} role="status">
        {tickedItems.length > 0 && texts.selected(tickedItems.length)}
      </p>
      {last !== undefined && <Waiting key={last.at} pending={last} onUndo={undo} />}
      {open.length === 0 || present === undefined ? (
        empty
      ) : (
        <div className={classes.columns}>
          <div className={classes.kinds}>
            {grouped(open, kindOf ?? (() => label)).map(group => {
              const name = kindOf?.(group[0])
              return (
                <Fragment key={name ?? label}>
                  {name !== undefined && (
                    <h3>
                      {name} <span className="muted">{group.length}</span>
                    </h3>
                  )}
                  <ul className={classes.list} aria-label={name ?? label}>
                    {group.map(item => {
                      const key = keyOf(item)
                      return (
                        <li key={key} className={classes.item} data-present={item === present || undefined}>
                          {decides && (
                            <Checkbox
                              aria-label={texts.select(nameOf(item))}
                              checked={ticked.has(key)}
                              onChange={() => tick(item)}
                            />
                          )}
                          <button
                            type="button"
                            data-key={key}
                            className={classes.row}
                            aria-current={item === present || undefined}
                            onClick={() => {
                              setAt({ key, focus: false })
                              panel.current?.focus()
                            }}
                          >
                            {row(item)}
                            {deciding.outcomes.has(key) && <Alert size={18} />}
                          </button>
                        </li>
                      )
                    })}
                  </ul>
                </Fragment>
              )
            })}
          </div>
          <section ref={panel} className={classes.panel} tabIndex={-1} aria-label={nameOf(present)}>
            {outcome !== undefined && (
              <OutcomeMessage
                outcome={outcome}
                failed={failed}
                asked={able.some(({ again }) => again?.code === outcome.code)}
              />
            )}
            {detail(present)}
            {able.length > 0 && (
              <>
                <Textarea
                  ref={field}
                  label={texts.sentence}
                  value={sentence}
                  rows={2}
                  maxLength={SENTENCE_LIMIT}
                  error={wrong && texts.needsSentence}
                  onChange={event => {
                    setSentences({ ...sentences, [presentKey]: event.currentTarget.value })
                    setWrong(false)
                  }}
                />
                <div className={classes.acts}>
                  <Buttons>
                    {able.map(action => (
                      <ActionButton
                        key={action.key}
                        action={action}
                        count={targets.length}
                        onPress={() => decide(action)}
                      />
                    ))}
                  </Buttons>
                  <Button
                    look="plain"
                    className={classes.keys ?? ''}
                    icon={<Question size={18} />}
                    aria-haspopup="dialog"
                    onClick={() => setHelp(true)}
                  >
                    {texts.keys}
                  </Button>
                </div>
              </>
            )}
          </section>
        </div>
      )}
      {help && (
        <Dialog title={texts.keys} onClose={() => setHelp(false)}>
          <Facts
            facts={[
              ...able.map(action => ({ term: action.key, value: action.label })),
              ...texts.keyList.map(([term, value]) => ({ term, value })),
            ]}
          />
        </Dialog>
      )}
    </div>
  )
}

/** An item's outcome: decided by another person, a question, or a failure. */
function OutcomeMessage({ outcome, failed, asked }: { outcome: Outcome; failed: string; asked: boolean }) {
  const title = outcome.over ? texts.decidedMeanwhile : asked ? texts.askedBack : failed
  return (
    <Notice tone={outcome.over || asked ? 'info' : 'error'} live="polite" title={title}>
      {outcome.sentence !== failed && <p>{outcome.sentence}</p>}
    </Notice>
  )
}

/** The actions that all of them share, as the first labels them; empty if one of them is decided meanwhile. */
function commonOf<Item>(each: readonly (readonly Action<Item>[])[], meant: readonly Item[]) {
  const [first = [], ...others] = each
  if (each.length < meant.length) return []
  return first.filter(({ key }) => others.every(actions => actions.some(action => action.key === key)))
}

/**
 * Ignores letters typed into fields, and keys with a modifier, which are the browser's; dialogs have their own keys.
 * The list's container gets the focus after every navigation to the page.
 */
function isForTheList(event: KeyboardEvent, box: HTMLElement | null): boolean {
  const target = event.target as HTMLElement
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false
  if (target.closest('textarea, select, [contenteditable], [role=dialog], input:not([type=checkbox])'))
    return false
  return box !== null && (target.contains(box) || box.contains(target))
}

interface ActionButtonProps<Item> {
  action: Action<Item>
  count: number
  onPress: () => void
}

function ActionButton<Item>({ action, count, onPress }: ActionButtonProps<Item>) {
  const words = texts.many(action.label, count)
  const keyProps = { 'aria-keyshortcuts': action.key, onClick: onPress }
  return action.tone === 'danger' ? (
    <Button icon={<Close size={18} />} {...keyProps}>
      {words}
    </Button>
  ) : (
    <Button look={action.tone ?? 'secondary'} {...keyProps}>
      {words}
    </Button>
  )
}

/** Decisions not sent yet, with the remaining time, and undo. */
export function Waiting<Item>({ pending, onUndo }: { pending: Pending<Item>; onUndo: () => void }) {
  const seconds = useSecondsUntil(pending.at)
  return (
    <Notice
      tone="done"
      action={
        <Button look="plain" aria-keyshortcuts="z" onClick={onUndo}>
          {texts.undo}
        </Button>
      }
    >
      <p>{texts.pending(pending.label, seconds)}</p>
    </Notice>
  )
}
