import type { ComponentType } from 'react'
import classes from './Message.module.css'
import { Sentences } from './Sentences'

interface MessageProps {
  /** Errors have a picture, and are announced at once; without one it is only a short wait. */
  Icon?: ComponentType
  title: string
  detail: string
}

/** A full-screen message. */
export function Message({ Icon, title, detail }: MessageProps) {
  return (
    <main className={classes.message} role={Icon === undefined ? 'status' : 'alert'}>
      {Icon !== undefined && <Icon />}
      <h1>{title}</h1>
      <p>
        <Sentences text={detail} />
      </p>
    </main>
  )
}
