/** "Wann arbeite ich als Nächstes?": the first card of the page. A press jumps to the day. */
import { longDay, shortDay } from '../../ui/days'
import { ChevronRight, Clock, Offline } from '../../ui/icons'
import classes from './NextDuty.module.css'
import { AHEAD_DAYS, type Duty, isRunning, type SwapRequest, type SwapState } from './plan'
import { texts } from './texts'
import { WhenFrom } from './When'

interface NextDutyProps {
  /** Duties that are not over, the next one first. */
  duties: readonly Duty[]
  now: Date
  today: string
  asked: readonly SwapRequest[]
  standings: ReadonlyMap<string, SwapState>
  onGo: (day: string) => void
}

export function NextDuty({ duties: [duty, after], now, today, asked, standings, onGo }: NextDutyProps) {
  if (duty === undefined) {
    return (
      <section className={classes.card}>
        <h2 className={classes.question}>{texts.next}</h2>
        <p className={classes.none}>{texts.noNext(AHEAD_DAYS)}</p>
      </section>
    )
  }
  const { weekday } = shortDay(duty.date)
  return (
    <section className={`${classes.card} ${classes.pressed}`}>
      <div className={classes.sheet} aria-hidden="true">
        <span className={classes.weekday}>{weekday}</span>
        <span className={classes.number}>{Number(duty.date.slice(8))}</span>
      </div>
      <div className={classes.words}>
        <h2 className={classes.question}>{texts.next}</h2>
        <button type="button" className={classes.answer} onClick={() => onGo(duty.date)}>
          <WhenFrom duty={duty} today={today} />
        </button>
        <p className="visually-hidden">{longDay(duty.date)}</p>
        <DutyFacts duty={duty} now={now} asked={asked} standing={standings.get(duty.date)} />
        {after !== undefined && (
          <p className={classes.after}>
            {texts.after} <WhenFrom duty={after} today={today} />
          </p>
        )}
      </div>
      <ChevronRight className={classes.way} />
    </section>
  )
}

interface AboutProps {
  duty: Duty
  now: Date
  asked: readonly SwapRequest[]
  standing: SwapState | undefined
}

/** Hints about it: it is running, or a colleague has been asked to take it over. */
function DutyFacts({ duty, now, asked, standing }: AboutProps) {
  const request = asked.find(({ date }) => date === duty.date)
  return (
    <>
      {isRunning(duty, now) && (
        <p className={classes.about}>{duty.end === null ? texts.runningOpen : texts.running(duty.end)}</p>
      )}
      {standing !== undefined && (
        <p className={classes.about}>
          {standing === 'asked' ? <Clock size={18} /> : <Offline size={18} />}
          {request === undefined ? texts.waitingFor : texts.askedFor(request.toName)}
        </p>
      )}
    </>
  )
}
