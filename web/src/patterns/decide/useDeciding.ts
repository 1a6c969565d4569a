/**
 * Decisions with a delay, so that they can be undone: sent after ten seconds, or all at once when the page is left.
 * Each has its own ten seconds; undo takes the last first.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Refused, sentenceOf } from '../../api/failures'
import { texts } from './texts'

export const UNDO_MS = 10_000
const DECIDED = 'already_decided'

/** Outcomes of items whose list was left before they were known, by key: shown when that list is seen again. */
const missed = new Map<string, Outcome>()

/** A decision that is not sent yet. */
export interface Pending<Item> {
  items: readonly Item[]
  label: string
  /** When it will be sent, in milliseconds. */
  at: number
}

/** An item's outcome, if it is not the intended one: a sentence of the service. */
export interface Outcome {
  /** Another person decided meanwhile: nothing is left to do here. */
  over: boolean
  sentence: string
  /** The service's error code, if any. */
  code: string | null
}

export interface Deciding<Item> {
  /** Decisions waiting to be sent, the last at the end. */
  pending: readonly Pending<Item>[]
  /** The keys of items decided here, sent or not. */
  gone: ReadonlySet<string>
  /** Errors by key. */
  outcomes: ReadonlyMap<string, Outcome>
  decide: (items: readonly Item[], label: string, send: (item: Item) => Promise<unknown>) => void
  /** Undoes the last decision; returns its items, if any. */
  undo: () => readonly Item[]
}

interface Waiting<Item> extends Pending<Item> {
  timer: ReturnType<typeof setTimeout>
  send: () => void
}

export function useDeciding<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  failed: string,
): Deciding<Item> {
  const waiting = useRef<readonly Waiting<Item>[]>([])
  const [pending, setPending] = useState<readonly Pending<Item>[]>([])
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(() => new Map(missed))
  const hasLeft = useRef(false)

  const wait = (next: readonly Waiting<Item>[]) => {
    waiting.current = next
    setPending(next)
  }
  const forget = (some: readonly Item[]) => {
    const keys = some.map(keyOf)
    setDecided(previous => new Set([...previous].filter(key => !keys.includes(key))))
  }
  const flush = useEffectEvent((which: (one: Waiting<Item>) => boolean) => {
    const due = waiting.current.filter(which)
    wait(waiting.current.filter(batch => !due.includes(batch)))
    for (const { timer, send } of due) {
      clearTimeout(timer)
      send()
    }
  })

  useEffect(() => {
    const leave = () => flush(() => true)
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])

  // An item that has left the list is settled: if it comes back, it waits again.
  const keys = items.map(keyOf)
  const goneKeys = new Set([...decided].filter(key => keys.includes(key)))
  if (goneKeys.size < decided.size) setDecided(goneKeys)

  const begin = useEffectEvent(() => {
    hasLeft.current = false
    for (const key of keys) missed.delete(key)
  })
  useEffect(() => {
    begin()
    return () => {
      hasLeft.current = true
    }
  }, [])

  const decide: Deciding<Item>['decide'] = (some, label, send) => {
    const decideOne = async (item: Item) => {
      try {
        await send(item)
      } catch (error) {
        const code = error instanceof Refused ? error.code : null
        const over = code === DECIDED
        const sentence = (over && byWhom(error)) || sentenceOf(error, failed)
        const outcome = { over, sentence, code }
        if (hasLeft.current) missed.set(keyOf(item), outcome)
        else setOutcomes(previous => new Map(previous).set(keyOf(item), outcome))
        forget([item])
      }
    }
    const batch: Waiting<Item> = {
      items: some,
      label,
      at: Date.now() + UNDO_MS,
      timer: setTimeout(() => flush(each => each === batch), UNDO_MS),
      send: () => void Promise.all(some.map(decideOne)),
    }
    setDecided(previous => new Set([...previous, ...some.map(keyOf)]))
    wait([...waiting.current, batch])
  }

  const undo = () => {
    const last = waiting.current.at(-1)
    if (last === undefined) return []
    clearTimeout(last.timer)
    wait(waiting.current.slice(0, -1))
    forget(last.items)
    return last.items
  }

  return { pending, gone: goneKeys, outcomes, decide, undo }
}

/** Who decided meanwhile, and when; null if the service does not report it. */
function byWhom(error: unknown): string | null {
  const { decidedBy, decidedAt } = (error as Refused).body as { decidedBy?: unknown; decidedAt?: unknown }
  const isDecided = typeof decidedBy === 'string' && typeof decidedAt === 'string'
  return isDecided ? texts.decidedBy(decidedBy, new Date(decidedAt)) : null
}
