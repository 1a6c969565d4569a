/** Whether the stamp is only on the clock's disk, or also delivered. */
import { Check, Inbox } from '../ui/icons'
import classes from './Stored.module.css'
import { texts } from './texts'

export function Stored({ sent }: { sent: boolean }) {
  return (
    <p className={classes.stored}>
      {sent ? <Check /> : <Inbox />}
      {sent ? texts.stored : texts.sending}
    </p>
  )
}
