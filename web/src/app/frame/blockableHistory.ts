/**
 * A history that can be blocked: leaving the page is prevented (`stay`), or waits for an answer (`ask`). This includes
 * the browser's Back: it is only reported afterwards, so it is reverted, and repeated after the answer.
 *
 * The router's own mechanism needs a data router, which costs 20 KiB on every page.
 */
import type { UNSAFE_createBrowserHistory as createBrowserHistory } from 'react-router'
import { currentSession } from '../../api/session'
import { currentHold, type Hold } from '../../ui/leaving'

export type History = ReturnType<typeof createBrowserHistory>
type Listener = Parameters<History['listen']>[0]

/** After a logout nothing holds the page. */
const present = () => (currentSession() === null ? null : currentHold())

export class BlockableHistory implements History {
  /** The blocked navigation; `leave` carries it out. */
  waiting: (() => void) | null = null
  private readonly listeners = new Set<() => void>()
  /** The next history event is caused by this class: back to the held page, or on after the answer. */
  private own: 'back' | 'on' | null = null

  constructor(
    private readonly history: History,
    private readonly holds: () => Hold | null = present,
  ) {}

  get action() {
    return this.history.action
  }

  get location() {
    return this.history.location
  }

  readonly createHref: History['createHref'] = to => this.history.createHref(to)
  readonly createURL: History['createURL'] = to => this.history.createURL(to)
  readonly encodeLocation: History['encodeLocation'] = to => this.history.encodeLocation(to)
  readonly go: History['go'] = steps => this.history.go(steps)
  readonly push: History['push'] = (to, state) => this.ifFree(() => this.history.push(to, state))
  readonly replace: History['replace'] = (to, state) => this.ifFree(() => this.history.replace(to, state))

  listen(listener: Listener): () => void {
    return this.history.listen(update => {
      const { action, delta } = update
      if (action !== 'POP' || delta === null) return listener(update)
      const ownMove = this.own
      this.own = null
      if (ownMove === 'back') return
      const hold = ownMove === 'on' ? null : this.holds()
      if (hold === null) return listener(update)
      this.step('back', -delta)
      if (hold === 'ask') this.wait(() => this.step('on', delta))
    })
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  readonly stay = () => this.wait(null)

  readonly leave = () => {
    const go = this.waiting
    this.wait(null)
    go?.()
  }

  private ifFree(go: () => void) {
    const hold = this.holds()
    if (hold === null) go()
    else if (hold === 'ask') this.wait(go)
  }

  private wait(waiting: (() => void) | null) {
    if (waiting === this.waiting) return
    this.waiting = waiting
    for (const listener of this.listeners) listener()
  }

  private step(own: 'back' | 'on', steps: number) {
    this.own = own
    this.history.go(steps)
  }
}
