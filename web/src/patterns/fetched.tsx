/**
 * A part of the app whose code is fetched when it is first shown. Where that fails, the part says so in its own place
 * and can be tried again, or the page loaded anew where only that helps; what breaks for any other reason is left to who
 * catches that.
 */
import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react'
import { isReplaced, newest } from '../api/version'
import { held } from '../ui/leaving'
import { ErrorState, PageSkeleton } from '../ui/states'
import { texts } from './texts'

/** Of a part that is made of Mantine's: what these need around them is fetched along with it. */
export function dressed<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return async (): Promise<ComponentType<Props>> => {
    const [Part, { Dressed }] = await Promise.all([load(), import('../ui/Dressed')])
    return props => (
      <Dressed>
        <Part {...props} />
      </Dressed>
    )
  }
}

/** A part that can be fetched before it is shown; `come` says when it is there, or fails. */
export type Fetched<Props> = ComponentType<Props> & { prepare: () => void; come: () => Promise<unknown> }

/**
 * `meanwhile` stands there until the code has come. Not by React's own `lazy`: that holds back what comes soon after
 * something else by up to 300 ms, and here one part brings the next.
 */
export function fetched<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = <PageSkeleton />,
): Fetched<Props> {
  let known: ComponentType<Props> | null = null
  let underWay: Promise<unknown> | null = null

  /** Once for all; after a failure anew. */
  const come = () => {
    underWay ??= load().then(
      Code => {
        known = Code
      },
      (cause: unknown) => {
        underWay = null
        forgetStyles()
        throw cause
      },
    )
    return underWay
  }

  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, beside its module
  function Part(props: Props) {
    const [Code, setCode] = useState(() => known)
    const [failed, setFailed] = useState<'lost' | 'replaced' | null>(null)
    const [turn, setTurn] = useState(0)
    // biome-ignore lint/correctness/useExhaustiveDependencies: each turn is another try
    useEffect(() => {
      if (Code !== null) return
      let shown = true
      come().then(
        () => shown && startTransition(() => setCode(() => known)),
        async cause => {
          const failure = (await isReplaced(cause)) ? 'replaced' : 'lost'
          if (shown) setFailed(failure)
        },
      )
      return () => {
        shown = false
      }
    }, [turn, Code])
    const again = () => {
      setFailed(null)
      setTurn(turn + 1)
    }
    if (Code !== null) return <Code {...props} />
    if (failed === 'replaced') return <Replaced />
    return failed === 'lost' ? <ErrorState title={texts.partMissing} onRetry={again} /> : meanwhile
  }

  return Object.assign(Part, { come, prepare: () => void come().catch(() => undefined) })
}

/** The service has a newer version, in which this part is another. Who has typed something is asked before it goes. */
function Replaced() {
  const [state, setState] = useState<'ready' | 'holding' | 'going'>('ready')
  const go = () => {
    const holds = held() !== null
    setState(holds ? 'holding' : 'going')
    // At the second time the browser asks.
    if (!holds || state === 'holding') newest.load()
  }
  return (
    <ErrorState
      title={texts.updateReady}
      detail={state === 'holding' ? texts.updateHeld : undefined}
      retry={texts.loadAnew}
      busy={state === 'going'}
      onRetry={go}
    />
  )
}

/** A style sheet that did not come stays in the document, and the next import would take it for one that did. */
function forgetStyles() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    if (link.sheet === null) link.remove()
  }
}
