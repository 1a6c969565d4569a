/** That the stamp is on the clock's disk, and whether the service has it too. */
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
