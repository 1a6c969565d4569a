/**
 * Downloads of a month: a button each, the progress of the current one, and a way to stop it. A file with a `job` is
 * first generated in the background, with the number of people processed.
 */
import { useState } from 'react'
import { Refused } from '../../api/failures'
import { ProgressBar } from '../../patterns/ProgressBar'
import { receive, saveAs } from '../../patterns/transfer'
import { useTransfer } from '../../patterns/useTransfer'
import { Button } from '../../ui/Button'
import { useFocusPassedOn } from '../../ui/focus'
import { Download } from '../../ui/icons'
import { Buttons } from '../../ui/layout'
import { ErrorNotice } from '../../ui/Notice'
import { texts } from './texts'
import { beginJob, type Job, jobOf, paths, useMade } from './useMonthEnd'

const ASKED_EVERY_MS = 1_000

export interface Wanted {
  key: string
  label: string
  /** The download path; null: `job` generates it first. */
  path: string | null
  job?: { companyId: string; month: string; format: string }
  /** Its description, if the label needs one. */
  name?: string
}

/** Downloads an export. `run` starts it, and makes the file first if necessary; `state` shows progress and failure. */
export function useFetching() {
  const invalidateMade = useMade()
  const [job, setJob] = useState<Job | null>(null)
  const transfer = useTransfer(async ({ path, job: wish, key }: Wanted, way) => {
    try {
      const filePath = wish === undefined || path !== null ? path : await finished(wish, way.signal, setJob)
      const received = await receive(filePath ?? '', way)
      saveAs(received.file, received.name ?? key)
      return true
    } finally {
      setJob(null)
      invalidateMade()
    }
  }, texts.downloadFailed)
  const state = (
    <>
      {transfer.progress !== undefined && (
        <div>
          <ProgressBar
            label={job === null ? texts.receiving : texts.making(job.done, job.of)}
            progress={job === null || job.of === 0 ? null : job.done / job.of}
          />
          <Stop onStop={transfer.stop} />
        </div>
      )}
      <ErrorNotice failure={transfer.failure} />
    </>
  )
  return { run: (wanted: Wanted) => void transfer.run(wanted), state }
}

async function finished(wish: NonNullable<Wanted['job']>, signal: AbortSignal, tell: (job: Job) => void) {
  let job = await beginJob(wish.companyId, wish.month, wish.format)
  while (job.state === 'waiting' || job.state === 'running') {
    tell(job)
    await new Promise(resolve => setTimeout(resolve, ASKED_EVERY_MS))
    signal.throwIfAborted()
    job = await jobOf(wish.companyId, job.id, signal)
  }
  if (job.state === 'failed') throw new Refused(409, { message: texts.downloadFailed })
  return paths.kept(wish.companyId, job.id)
}

export function Downloads({ files }: { files: readonly Wanted[] }) {
  const fetching = useFetching()
  return (
    <>
      <Buttons>
        {files.map(file => (
          <Button
            key={file.key}
            icon={<Download size={18} />}
            aria-label={file.name}
            onClick={() => fetching.run(file)}
          >
            {file.label}
          </Button>
        ))}
      </Buttons>
      {fetching.state}
    </>
  )
}

function Stop({ onStop }: { onStop: () => void }) {
  const button = useFocusPassedOn<HTMLButtonElement>()
  return (
    <Button ref={button} look="plain" onClick={onStop}>
      {texts.stop}
    </Button>
  )
}
