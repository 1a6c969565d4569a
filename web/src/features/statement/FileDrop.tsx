/** Files by drag and drop, or by a button. Choosing the same file again counts. */
import { type DragEvent, useId, useState } from 'react'
import { Scroll } from '../../ui/icons'
import classes from './FileDrop.module.css'
import { texts } from './texts'

const JSON_FILES = 'application/json,.json'

interface FileDropProps {
  onFiles: (files: File[]) => void
}

export function FileDrop({ onFiles }: FileDropProps) {
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take([...event.dataTransfer.files], onFiles)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button below does the same
    <div
      className={`${classes.zone} ${over ? classes.over : ''}`}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Scroll size={36} className={classes.picture} strokeWidth={1.6} />
      <p className={classes.ways}>
        <FileButton label={texts.filesLabel} words={texts.choose} main multiple onFiles={onFiles} />
        <span className={classes.drop}>{texts.drop}</span>
      </p>
      <p className={classes.which}>{texts.which}</p>
    </div>
  )
}

interface FileButtonProps extends FileDropProps {
  /** Its name for screen readers. */
  label: string
  words: string
  main?: boolean
  multiple?: boolean
}

export function FileButton({ label, words, main = false, multiple = false, onFiles }: FileButtonProps) {
  const id = useId()
  return (
    <span className={`${classes.button} ${main ? classes.main : ''}`}>
      <input
        id={id}
        type="file"
        className={classes.input}
        accept={JSON_FILES}
        multiple={multiple}
        aria-label={`${words}: ${label}`}
        onChange={event => {
          take([...(event.target.files ?? [])], onFiles)
          event.target.value = ''
        }}
      />
      <label htmlFor={id}>{words}</label>
    </span>
  )
}

function take(files: File[], onFiles: (files: File[]) => void) {
  if (files.length > 0) onFiles(files)
}
