/**
 * A part of the app whose code is fetched when it is first shown. Where that fails, the part says so in its own place
 * and can be tried again; what breaks for any other reason is left to who catches that.
 */
import { Component, type ComponentType, type JSX, lazy, type ReactNode, Suspense } from 'react'
import { ErrorState, PageSkeleton } from '../ui/states'
import { texts } from './texts'

class NotFetched extends Error {}

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

/** `meanwhile` stands there until the code has come. */
export function fetched<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = <PageSkeleton />,
) {
  // A lazy part keeps a failure for ever, so whoever comes after one gets another.
  const anew = () =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch (cause) {
        forgetStyles()
        present = anew()
        throw new NotFetched(undefined, { cause })
      }
    })
  let present = anew()

  interface State {
    Code: typeof present
    error: unknown
  }

  return class Fetched extends Component<Props, State> {
    override state: State = { Code: present, error: null }

    static getDerivedStateFromError(error: unknown) {
      return { error }
    }

    readonly again = () => this.setState({ Code: present, error: null })

    override render(): ReactNode {
      const { Code, error } = this.state
      if (error instanceof NotFetched) return <ErrorState title={texts.unreachable} onRetry={this.again} />
      if (error !== null) throw error
      return (
        <Suspense fallback={meanwhile}>
          <Code {...(this.props as JSX.LibraryManagedAttributes<typeof present, Props>)} />
        </Suspense>
      )
    }
  }
}

/** A style sheet that did not come stays in the document, and the next import would take it for one that did. */
function forgetStyles() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    if (link.sheet === null) link.remove()
  }
}
