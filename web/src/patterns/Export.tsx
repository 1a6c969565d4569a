/**
 * Files of the service to be saved: a button for each, how far the present one is, and a way to stop it. What was refused
 * stands below.
 *
 *   files     each {key, label, path, name}: where it is fetched, and what it is called where the service does not say
 *   failed    the sentence where it could not be had
 *   progress  how far it is, where the service alone knows; `onBusy` is told when it begins and ends
 *   wide      the buttons below each other, as wide as what is around them
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
  /** What is said while it comes. */
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
