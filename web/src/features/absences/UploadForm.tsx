/** Chooses and uploads the file of a sick note with progress, and shows the stored result. Uploads are never queued. */
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react'
import { useReachable } from '../../api/connectivity'
import { ProgressBar } from '../../patterns/ProgressBar'
import { succeed } from '../../patterns/succeed'
import { Button } from '../../ui/Button'
import { DialogButtons, useFocusOnShow } from '../../ui/Dialog'
import { Scroll, Upload } from '../../ui/icons'
import { ErrorNotice, Notice } from '../../ui/Notice'
import { texts as uiTexts } from '../../ui/texts'
import classes from './dialogs.module.css'
import { Note } from './Note'
import { texts } from './texts'
import { useReload, useUpload } from './useAbsences'

const MOST_BYTES = 10 * 1024 * 1024
/** Listed by name: phones then convert a photo in their own format to JPG. */
const ACCEPTED = 'image/jpeg,image/png,image/webp,application/pdf'

/** Checks without reading the content; the service checks that. */
function complaintOf(file: File | null): string | null {
  if (file === null) return texts.fileMissing
  if (file.size > MOST_BYTES) return texts.fileTooLarge
  if (file.size === 0) return texts.fileEmpty
  if (file.type !== '' && !ACCEPTED.split(',').includes(file.type)) return texts.fileUnsupported
  return null
}

interface UploadFormProps {
  userId: string
  /** Any day of the report. */
  id: string
  day: string
  span: string
  onDone: () => void
  onCancel: () => void
  onBusy?: (busy: boolean) => void
}

export function UploadForm({ userId, id, day, span, onDone, onCancel, onBusy }: UploadFormProps) {
  const uploading = useUpload(id)
  const reload = useReload(userId)
  const reachable = useReachable()
  const [file, setFile] = useState<File | null>(null)
  const [complaint, setComplaint] = useState<string | null>(null)
  /** False: the user wants to replace it. */
  const [kept, setKept] = useState<boolean | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const field = useId()
  const busy = uploading.progress !== undefined
  useEffect(() => onBusy?.(busy), [busy, onBusy])
  useEffect(() => {
    if (kept === false) input.current?.focus()
  }, [kept])
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const chosenFile = event.currentTarget.files?.[0] ?? null
    // Choosing the same file again must fire a change, too.
    event.currentTarget.value = ''
    if (chosenFile === null) return
    uploading.reset()
    setFile(chosenFile)
    setComplaint(complaintOf(chosenFile))
  }
  const upload = async () => {
    const newComplaint = complaintOf(file)
    setComplaint(newComplaint)
    if (newComplaint !== null || file === null) return input.current?.focus()
    uploading.reset()
    const sent = await uploading.run(file)
    if (sent === null || sent === 'stopped') return
    succeed(texts.uploaded)
    void reload()
    setFile(null)
    setKept(true)
  }
  if (busy) return <OnItsWay file={file} progress={uploading.progress} onStop={uploading.stop} />
  if (kept) return <KeptNote id={id} day={day} span={span} onDone={onDone} onOther={() => setKept(false)} />
  return (
    <form
      className={classes.upload}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void upload()
      }}
    >
      <div>
        <input
          ref={input}
          id={field}
          type="file"
          accept={ACCEPTED}
          className={classes.file}
          aria-invalid={complaint === null ? undefined : true}
          aria-describedby={`${field}-hint${complaint === null ? '' : ` ${field}-error`}`}
          disabled={!reachable && file === null}
          onChange={choose}
          data-autofocus
        />
        <label htmlFor={field} className={classes.choose}>
          <Upload size={24} />
          <span>{file === null ? texts.chooseFile : texts.otherFile}</span>
        </label>
        <p id={`${field}-hint`} className={classes.hint}>
          {texts.accepted} {texts.redrawn}
        </p>
        {complaint !== null && (
          <p id={`${field}-error`} className={classes.wrong} role="alert">
            {complaint}
          </p>
        )}
      </div>
      {file !== null && <ChosenFile file={file} />}
      <p className={classes.hint}>{texts.readers}</p>
      {!reachable && (
        <Notice live="polite">
          <p>{texts.uploadNeedsNetwork}</p>
        </Notice>
      )}
      <ErrorNotice failure={uploading.failure} />
      <DialogButtons>
        <Button onClick={onCancel}>{uiTexts.cancel}</Button>
        <Button type="submit" look="primary" disabled={!reachable}>
          {texts.sendFile}
        </Button>
      </DialogButtons>
    </form>
  )
}

interface KeptProps {
  id: string
  day: string
  span: string
  onDone: () => void
  onOther: () => void
}

/** The service stores a re-rendered copy: the user checks that it is complete. */
function KeptNote({ id, day, span, onDone, onOther }: KeptProps) {
  const done = useFocusOnShow<HTMLButtonElement>()
  return (
    <div className={classes.upload}>
      <p>{texts.lookAtIt}</p>
      <Note id={id} day={day} span={span} />
      <DialogButtons>
        <Button onClick={onOther}>{texts.uploadOther}</Button>
        <Button ref={done} look="primary" onClick={onDone}>
          {uiTexts.done}
        </Button>
      </DialogButtons>
    </div>
  )
}

function ChosenFile({ file }: { file: File }) {
  return (
    <p className={classes.chosen}>
      <Scroll size={20} />
      <span className={classes.fileName}>{file.name}</span>
      <span className={classes.size}>{texts.size(file.size)}</span>
    </p>
  )
}

interface OnItsWayProps {
  file: File | null
  progress: number | null | undefined
  onStop: () => void
}

/** After the upload the service checks the file, for an unknown time. */
function OnItsWay({ file, progress, onStop }: OnItsWayProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  const isSent = progress === 1
  return (
    <div className={classes.upload}>
      {file !== null && <ChosenFile file={file} />}
      <ProgressBar
        label={isSent ? texts.checking : texts.uploading}
        progress={isSent ? null : (progress ?? 0)}
      />
      <DialogButtons>
        <Button ref={button} onClick={onStop}>
          {texts.stop}
        </Button>
      </DialogButtons>
    </div>
  )
}
