/** A duty's time in words: "Heute, 07:00–15:30". Times do not break across lines. */
import { type Duty, dayWord, timesOf } from './plan'
import { texts } from './texts'
import classes from './When.module.css'

export function When({ duty, day }: { duty: Duty; day: string }) {
  const times = timesOf(duty)
  if (times === null) return <>{day}</>
  return (
    <>
      {texts.dayBefore(day)} <span className={classes.times}>{times}</span>
    </>
  )
}

/** The same, relative to today. */
export function WhenFrom({ duty, today }: { duty: Duty; today: string }) {
  return <When duty={duty} day={dayWord(duty.date, today)} />
}
