/** The answer to a tap: a full screen, as long as the agent shows it. Questions have their own screens. */
import type { ComponentType } from 'react'
import { useState } from 'react'
import { difference, hoursMinutes } from '../ui/durations'
import { Alert, Enter, Leave, Question, Swap } from '../ui/icons'
import classes from './AnswerScreen.module.css'
import { adopt } from './agent'
import { useFit } from './fit'
import { QuestionScreen } from './QuestionScreen'
import { reminders } from './reminders'
import { Stored } from './Stored'
import { groups } from './tag'
import { texts, warningsOf } from './texts'
import type { Answer } from './view'

interface AnswerScreenProps {
  answer: Answer
  zone: string
  ahead: number
}

interface Head {
  title: string
  Icon: ComponentType
}

const HEADS: Record<Answer['kind'], Head> = {
  in: { title: texts.in, Icon: Enter },
  out: { title: texts.out, Icon: Leave },
  double_tap: { title: texts.doubleTap, Icon: Swap },
  unknown: { title: texts.unknown, Icon: Question },
  not_saved: { title: texts.notSaved, Icon: Alert },
}

export function AnswerScreen({ answer, zone, ahead }: AnswerScreenProps) {
  const { question, stampId } = answer
  if (question !== null && stampId !== null) {
    return <QuestionScreen asked={{ ...answer, question, stampId }} zone={zone} ahead={ahead} />
  }
  return <AnswerText answer={answer} />
}

function AnswerText({ answer }: { answer: Answer }) {
  const { title, Icon } = HEADS[answer.kind]
  const name = useFit()
  return (
    <main data-kind={answer.kind} className={`${classes.screen} ${classes[answer.kind] ?? ''}`}>
      <div className={classes.said}>
        <h1 className={classes.title}>
          <Icon />
          <span>
            {title}
            {answer.kind === 'double_tap' && ` ${texts.at(answer.since ?? answer.time)}`}
          </span>
        </h1>
        {answer.kind !== 'unknown' && answer.name !== null && (
          <p ref={name} className={classes.name}>
            {greeting(answer.kind, answer.name)}
          </p>
        )}
        <Words answer={answer} />
        <Figures answer={answer} />
      </div>
      {answer.kind !== 'not_saved' && <Foot answer={answer} />}
    </main>
  )
}

function greeting(kind: Answer['kind'], name: string): string {
  if (kind === 'in') return texts.hello(name)
  return kind === 'out' ? texts.bye(name) : name
}

function Words({ answer }: { answer: Answer }) {
  if (answer.kind === 'unknown') {
    return (
      <>
        <p className={classes.label}>{texts.unknownTag}</p>
        {answer.tag !== null && <TagNumber tag={answer.tag} />}
        <p className={classes.what}>{texts.unknownDo}</p>
      </>
    )
  }
  if (answer.kind === 'double_tap') return <p className={classes.what}>{texts.doubleTapDo}</p>
  return (
    <>
      <p className={classes.time} data-first={answer.time[0]}>
        <time>{answer.time}</time>
      </p>
      {answer.kind === 'not_saved' && <p className={classes.what}>{texts.notSavedDo}</p>}
    </>
  )
}

/** The gaps are styled, not text: screen readers, copying and search see one value. */
function TagNumber({ tag }: { tag: string }) {
  const parts = groups(tag)
  return (
    <p className={classes.tag} data-length={parts.length === 1 && tag.length > 4 ? 'word' : tag.length}>
      <span role="img" aria-label={tag}>
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place is all that tells equal groups apart
          <span key={index} className={classes.group}>
            {part}
          </span>
        ))}
      </span>
    </p>
  )
}

function Figures({ answer }: { answer: Answer }) {
  if (answer.kind === 'unknown' || answer.kind === 'not_saved') return null
  const figures = [
    { label: texts.today, value: answer.todayMinutes === null ? null : hoursMinutes(answer.todayMinutes) },
    {
      label: texts.balance,
      value: answer.balanceMinutes === null ? null : difference(answer.balanceMinutes),
    },
  ].filter(({ value }) => value !== null)
  if (figures.length === 0) return null
  const longest = Math.min(10, Math.max(...figures.map(({ value }) => value?.length ?? 0)))
  return (
    <dl className={classes.figures} data-longest={longest}>
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Foot({ answer }: { answer: Answer }) {
  return (
    <footer className={classes.foot}>
      <Remark answer={answer} />
      {answer.steward && answer.stampId !== null ? (
        <div className={classes.beside}>
          <Stored sent={answer.sent} />
          <AdoptButton stampId={answer.stampId} />
        </div>
      ) : (
        <Stored sent={answer.sent} />
      )}
    </footer>
  )
}

function AdoptButton({ stampId }: { stampId: string }) {
  const [failed, setFailed] = useState(false)
  return (
    <button type="button" className={classes.adopt} onClick={async () => setFailed(!(await adopt(stampId)))}>
      <span role="status">{failed ? texts.answerFailed : texts.adopt}</span>
    </button>
  )
}

/** One remark fits below an answer, by priority: legal warnings, the correction request, reminders. */
function Remark({ answer }: { answer: Answer }) {
  const warnings = warningsOf(answer)
  if (warnings.length > 0) {
    return (
      <p className={classes.warning}>
        <Alert />
        <span>{warnings.join(' ')}</span>
      </p>
    )
  }
  if (answer.requested) return <p className={`${classes.reminder} ${classes.lines}`}>{texts.requested}</p>
  const [first, second] = reminders(answer)
  if (first === undefined) return null
  if (second === undefined) return <p className={classes.reminder}>{first}</p>
  return (
    <p className={`${classes.reminder} ${classes.lines}`}>
      <span>{first}</span> <span>{second}</span>
    </p>
  )
}
