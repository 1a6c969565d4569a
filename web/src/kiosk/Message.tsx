import type { ComponentType } from 'react'
import classes from './Message.module.css'
import { Sentences } from './Sentences'

interface MessageProps {
  /** What is wrong is drawn too, and said at once; without one it is only a moment's wait. */
  Icon?: ComponentType
  title: string
  detail: string
}

/** A whole screen that says one thing. */
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
