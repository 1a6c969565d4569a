/** An upload or download: like any mutation, with progress, and a way to stop it. */
import { useRef, useState } from 'react'
import type { Progress } from './transfer'
import { type Acting, useAct } from './useAct'

export interface Transferring<Input, Output> extends Acting<Input, Output> {
  /** Undefined while idle. */
  progress: Progress | undefined
  stop: () => void
}

interface Way {
  onProgress: (progress: Progress) => void
  signal: AbortSignal
}

export function useTransfer<Input, Output extends object | boolean | string>(
  transfer: (input: Input, way: Way) => Promise<Output>,
  failed: string,
): Transferring<Input, Output | 'stopped'> {
  const [progress, setProgress] = useState<Progress | undefined>(undefined)
  const present = useRef<AbortController | null>(null)
  const acting = useAct(async (input: Input): Promise<Output | 'stopped'> => {
    const aborter = new AbortController()
    present.current = aborter
    setProgress(0)
    try {
      return await transfer(input, { onProgress: setProgress, signal: aborter.signal })
    } catch (error) {
      if (aborter.signal.aborted) return 'stopped'
      throw error
    } finally {
      setProgress(undefined)
    }
  }, failed)
  return { ...acting, progress, stop: () => present.current?.abort() }
}
