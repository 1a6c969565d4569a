/** Values that the frame provides to its pages. */
import { useOutletContext } from 'react-router'

export interface FrameContext {
  openLogin: () => void
  prepareLogin: () => void
}

export function useFrame(): FrameContext {
  return useOutletContext<FrameContext>()
}
