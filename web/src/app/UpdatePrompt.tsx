/** Offers the new version once its service worker waits; it takes over only when the user agrees. */
import { useEffect, useState } from 'react'
import { Button } from '../ui/Button'
import { Refresh } from '../ui/icons'
import { held } from '../ui/leaving'
import { hasApp, useAppWanted } from './installed'
import { texts } from './texts'
import classes from './UpdatePrompt.module.css'

const CHECK_EVERY_MS = 60 * 60 * 1_000

export function UpdatePrompt() {
  /** Somebody wanted it, with a form before them that is not saved. */
  const [holding, setHolding] = useState(false)
  const [takeOver, setTakeOver] = useState<(() => void) | null>(null)
  const wanted = useAppWanted()
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    if (!wanted && !hasApp()) return
    let timer: ReturnType<typeof setInterval> | null = null
    watch(apply => setTakeOver(() => apply)).then(
      check => {
        timer = setInterval(check, CHECK_EVERY_MS)
      },
      () => {
        // Forbidden or out of reach: the page works without a worker, and the next visit asks again.
      },
    )
    return () => {
      if (timer !== null) clearInterval(timer)
    }
  }, [wanted])
  if (takeOver === null) return null
  return (
    <div className={classes.prompt} role="status">
      <Refresh />
      <p>{holding && held() !== null ? texts.updateHeld : texts.updateReady}</p>
      <div className={classes.actions}>
        <Button look="primary" onClick={() => (held() === null ? takeOver() : setHolding(true))}>
          {texts.updateNow}
        </Button>
        <Button look="plain" onClick={() => setTakeOver(null)}>
          {texts.later}
        </Button>
      </div>
    </div>
  )
}

/** Registers the worker; `onReady` gets what makes a waiting one take over. Returns how to look for a newer one. */
async function watch(onReady: (apply: () => void) => void): Promise<() => void> {
  const { Workbox } = await import('workbox-window')
  const worker = new Workbox('/sw.js')
  let agreed = false
  worker.addEventListener('waiting', () => {
    onReady(() => {
      agreed = true
      worker.messageSkipWaiting()
    })
  })
  // workbox-window's own `isUpdate` is false in the session that installed the first worker.
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (agreed) window.location.reload()
  })
  await worker.register()
  return () => {
    worker.update().catch(() => {
      // Out of reach: the next hour is early enough.
    })
  }
}
