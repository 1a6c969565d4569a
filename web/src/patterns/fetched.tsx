/**
 * A part of the app whose code is fetched when it is first shown. If that fails, the part reports it in its own place
 * and can be retried, or the page reloaded where only that helps; other errors go to the nearest error boundary.
 */
import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react'
import { isKept, newest } from '../api/version'
import { currentHold } from '../ui/leaving'
import { ErrorState, PageSkeleton } from '../ui/states'
import { texts } from './texts'

/** For a part made of Mantine's components: fetches their provider along with it. */
export function withMantine<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return async (): Promise<ComponentType<Props>> => {
    const [Part, { Dressed }] = await Promise.all([load(), import('../ui/Dressed')])
    return props => (
      <Dressed>
        <Part {...props} />
      </Dressed>
    )
  }
}

/** A part that can be fetched before it is shown; `come` resolves when it is loaded, or rejects. */
export type Fetched<Props> = ComponentType<Props> & { prepare: () => void; come: () => Promise<unknown> }

/**
 * Shows `meanwhile` until the code has come. React's own `lazy` delays a part that follows another by up to 300 ms, and
 * here one part loads the next.
 */
export function fetched<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = <PageSkeleton />,
): Fetched<Props> {
  let loadedCode: ComponentType<Props> | null = null
  let underWay: Promise<unknown> | null = null
  let failures = 0

  /** Loads once; again after a failure. */
  const come = () => {
    underWay ??= load().then(
      Code => {
        loadedCode = Code
      },
      (cause: unknown) => {
        underWay = null
        failures++
        forgetStyles()
        throw cause
      },
    )
    return underWay
  }

  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, beside its module
  function Part(props: Props) {
    const [Code, setCode] = useState(() => loadedCode)
    const [failed, setFailed] = useState<'lost' | 'stuck' | 'replaced' | null>(null)
    const [turn, setTurn] = useState(0)
    // biome-ignore lint/correctness/useExhaustiveDependencies: each turn is another try
    useEffect(() => {
      if (Code !== null) return
      let isMounted = true
      come().then(
        () => isMounted && startTransition(() => setCode(() => loadedCode)),
        async cause => {
          const isServed = await isKept(cause)
          // Chrome up to 155 remembers a failed import for the lifetime of the page.
          const stuck = isServed === true && failures > 1
          if (isMounted) setFailed(isServed === false ? 'replaced' : stuck ? 'stuck' : 'lost')
        },
      )
      return () => {
        isMounted = false
      }
    }, [turn, Code])
    const retry = () => {
      setFailed(null)
      setTurn(turn + 1)
    }
    if (Code !== null) return <Code {...props} />
    if (failed === null) return meanwhile
    if (failed === 'lost') return <ErrorState title={texts.partMissing} onRetry={retry} />
    return <ReloadState title={failed === 'stuck' ? texts.partStuck : texts.updateReady} />
  }

  return Object.assign(Part, { come, prepare: () => void come().catch(() => undefined) })
}

/** Only a reload of the page brings the part. Unsaved input is asked about first. */
function ReloadState({ title }: { title: string }) {
  const [state, setState] = useState<'ready' | 'holding' | 'going'>('ready')
  const go = () => {
    const holds = currentHold() !== null
    setState(holds ? 'holding' : 'going')
    // The second time, the browser asks.
    if (!holds || state === 'holding') newest.load()
  }
  return (
    <ErrorState
      title={title}
      detail={state === 'holding' ? texts.updateHeld : undefined}
      retry={texts.loadAnew}
      busy={state === 'going'}
      onRetry={go}
    />
  )
}

/** A failed style sheet stays in the document, and the next import would treat it as loaded. */
function forgetStyles() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    if (link.sheet === null) link.remove()
  }
}
