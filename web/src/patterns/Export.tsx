/**
 * Downloads of the service's files: a button each, the progress of the current one, and a way to stop it. A refusal
 * appears below.
 *
 * - files: each {key, label, path, name}: where it is fetched, and its name if the service gives no other
 * - failed: the sentence for a failed download
 * - progress: its progress, where only the service knows it; `onBusy` is called at its start and end
 * - wide: the buttons below each other, as wide as their container
 */
import { Button } from '../ui/Button'
import { useFocusPassedOn } from '../ui/focus'
import { Download } from '../ui/icons'
import { Buttons } from '../ui/layout'
import { ErrorNotice } from '../ui/Notice'
import { texts as uiTexts } from '../ui/texts'
import { ProgressBar } from './ProgressBar'
import { texts } from './texts'
import { type Progress, receive, saveAs } from './transfer'
import { useTransfer } from './useTransfer'

export interface ExportFile {
  key: string
  label: string
  path: string
  name: string
}

interface ExportProps {
  files: readonly ExportFile[]
  failed: string
  /** The label during the download. */
  fetching?: string
  progress?: Progress
  onBusy?: (busy: boolean) => void
  wide?: boolean
}

export function Export({
  files,
  failed,
  fetching = texts.receiving,
  progress,
  onBusy,
  wide = false,
}: ExportProps) {
  const transfer = useTransfer(async ({ path, name }: ExportFile, way) => {
    onBusy?.(true)
    try {
      const received = await receive(path, way)
      saveAs(received.file, received.name ?? name)
      return true
    } finally {
      onBusy?.(false)
    }
  }, failed)
  return (
    <>
      <Buttons>
        {files.map(file => (
          <Button
            key={file.key}
            wide={wide}
            icon={<Download size={18} />}
            onClick={() => void transfer.run(file)}
          >
            {file.label}
          </Button>
        ))}
      </Buttons>
      {transfer.progress !== undefined && (
        <div>
          <ProgressBar label={fetching} progress={transfer.progress ?? progress ?? null} />
          <Stop onStop={transfer.stop} />
        </div>
      )}
      <ErrorNotice failure={transfer.failure} />
    </>
  )
}

function Stop({ onStop }: { onStop: () => void }) {
  const button = useFocusPassedOn<HTMLButtonElement>()
  return (
    <Button ref={button} look="plain" onClick={onStop}>
      {uiTexts.cancel}
    </Button>
  )
}
