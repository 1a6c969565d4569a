/** What the frame lends to the pages inside it. */
import { useOutletContext } from 'react-router'

export interface FrameContext {
  openLogin: () => void
  prepareLogin: () => void
}

export function useFrame(): FrameContext {
  return useOutletContext<FrameContext>()
}
