/** Wraps a part of the app that calls the service: fetches the query cache along with it. */
import type { ComponentType } from 'react'

export function withQueryClient<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return async (): Promise<ComponentType<Props>> => {
    const [Part, { AnswersCache }] = await Promise.all([load(), import('./AnswersCache')])
    return props => (
      <AnswersCache>
        <Part {...props} />
      </AnswersCache>
    )
  }
}
