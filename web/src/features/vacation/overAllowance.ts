/** More days than there are: refused once, and done when it is said so with a tick, which then stands in the form. */
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
