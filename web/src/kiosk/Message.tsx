import classes from './Message.module.css'

/** A whole screen that says one thing. */
export function Message({ title, detail }: { title: string; detail: string }) {
  return (
    <main className={classes.message} role="status">
      <h1>{title}</h1>
      <p>{detail}</p>
    </main>
  )
}
