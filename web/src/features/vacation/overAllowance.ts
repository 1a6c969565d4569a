/**
 * More days than the allowance: the service refuses once, then accepts with a tick, which the form shows from then on.
 */
import { useState } from 'react'
import { Refused } from '../../api/failures'

export function useOverAllowance() {
  const [asked, setAsked] = useState(false)
  const watched = async <Output>(run: () => Promise<Output>): Promise<Output> => {
    try {
      return await run()
    } catch (error) {
      if (error instanceof Refused && error.code === 'over_allowance') setAsked(true)
      throw error
    }
  }
  return { asked, watched }
}
