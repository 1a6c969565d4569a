/**
 * Offers the new version once its service worker waits; it takes over only when the user agrees, here or in another
 * tab. Fetched only for users who have the app, or want it.
 */
import { useEffect, useState } from 'react'
import { newest } from '../api/version'
import { texts as patternTexts } from '../patterns/texts'
import { Button } from '../ui/Button'
import { Refresh } from '../ui/icons'
import { currentHold } from '../ui/leaving'
import { renew } from './renew'
import { texts } from './texts'
import classes from './UpdatePrompt.module.css'

const CHECK_EVERY_MS = 60 * 60 * 1_000

export function UpdatePrompt() {
  /** The user wants the update, while a form has unsaved input. */
  const [holding, setHolding] = useState(false)
  const [ready, setReady] = useState(false)
  useEffect(() => {
    newest.load = renew
    const over = new AbortController()
    follow(() => setReady(true), over.signal).catch(() => {
      // Forbidden or out of reach: the page works without a worker, and the next visit tries again.
    })
    return () => over.abort()
  }, [])
  if (!ready) return null
  return (
    <div className={classes.prompt} role="status">
      <Refresh />
      <p>{holding && currentHold() !== null ? patternTexts.updateHeld : patternTexts.updateReady}</p>
      <div className={classes.actions}>
        <Button look="primary" onClick={() => (currentHold() === null ? void renew() : setHolding(true))}>
          {texts.updateNow}
        </Button>
        <Button look="plain" onClick={() => setReady(false)}>
          {texts.later}
        </Button>
      </div>
    </div>
  )
}

/**
 * Registers the worker and checks for updates. `onReady`: a new one waits, or already serves another version than the
 * page's.
 */
async function follow(onReady: () => void, signal: AbortSignal): Promise<void> {
  const { serviceWorker } = navigator
  const worker = await serviceWorker.register('/sw.js')
  if (signal.aborted) return
  // The first worker has the same version as the page, and takes it over.
  let first = worker.active === null
  const look = () => worker.waiting !== null && worker.active !== null && onReady()
  const watch = () => worker.installing?.addEventListener('statechange', look, { signal })
  const changed = () => {
    if (first) first = false
    else if (currentHold() === null) window.location.reload()
    else onReady()
  }
  serviceWorker.addEventListener('controllerchange', changed, { signal })
  worker.addEventListener('updatefound', watch, { signal })
  watch()
  look()
  const update = () => worker.update().catch(() => undefined) // out of reach: the next check is in an hour
  const timer = setInterval(update, CHECK_EVERY_MS)
  signal.addEventListener('abort', () => clearInterval(timer))
}
