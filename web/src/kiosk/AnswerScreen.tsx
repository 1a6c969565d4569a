/** The answer to a tap: the whole screen, for as long as the agent holds it, with its question if there is one. */
import type { ComponentType } from 'react'
import { Alert, Check, Enter, Inbox, Leave, Question, Swap } from '../ui/icons'
import classes from './AnswerScreen.module.css'
import { DirectionQuestion } from './DirectionQuestion'
import { balance, hoursMinutes } from './durations'
import { GoneQuestion } from './GoneQuestion'
import { texts, warningTexts } from './texts'
import type { Answer } from './view'

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

export function AnswerScreen({ answer, zone }: { answer: Answer; zone: string }) {
  const { title, Icon } = HEADS[answer.kind]
  const asks = answer.question !== null && answer.stampId !== null
  const layout = asks ? `${classes.asking} ${answer.question === 'gone' ? classes.typing : ''}` : ''
  return (
    <main data-kind={answer.kind} className={`${classes.screen} ${classes[answer.kind] ?? ''} ${layout}`}>
      <div className={classes.said} role={answer.kind === 'not_saved' ? 'alert' : 'status'}>
        <h1 className={classes.title}>
          <Icon />
          {title}
          {answer.kind === 'double_tap' && ` ${texts.at(answer.since ?? answer.time)}`}
        </h1>
        <Words answer={answer} />
      </div>
      {asks && <AskedQuestion answer={answer} zone={zone} />}
      <Foot answer={answer} />
    </main>
  )
}

function AskedQuestion({ answer, zone }: { answer: Answer; zone: string }) {
  const stampId = answer.stampId ?? ''
  return answer.question === 'direction' ? (
    <DirectionQuestion stampId={stampId} openSince={answer.openSince} zone={zone} />
  ) : (
    <GoneQuestion stampId={stampId} date={answer.questionDate} />
  )
}

function Words({ answer }: { answer: Answer }) {
  if (answer.kind === 'unknown') {
    return (
      <>
        <p className={classes.label}>{texts.unknownTag}</p>
        <p className={classes.tag}>{answer.tag}</p>
        <p className={classes.what}>{texts.unknownDo}</p>
      </>
    )
  }
  if (answer.kind === 'not_saved') {
    return (
      <>
        {answer.name !== null && <p className={classes.name}>{answer.name}</p>}
        <p className={classes.time} data-first={answer.time[0]}>
          <time>{answer.time}</time>
        </p>
        <p className={classes.what}>{texts.notSavedDo}</p>
      </>
    )
  }
  return (
    <>
      {answer.name !== null && <p className={classes.name}>{greeting(answer.kind, answer.name)}</p>}
      {answer.kind === 'double_tap' ? (
        <p className={classes.what}>{texts.doubleTapDo}</p>
      ) : (
        <p className={classes.time} data-first={answer.time[0]}>
          <time>{answer.time}</time>
        </p>
      )}
    </>
  )
}

function greeting(kind: Answer['kind'], name: string): string {
  if (kind === 'in') return texts.hello(name)
  return kind === 'out' ? texts.bye(name) : name
}

function Foot({ answer }: { answer: Answer }) {
  const facts = answer.kind === 'in' || answer.kind === 'out' || answer.kind === 'double_tap'
  const warnings = answer.warnings.map(code => warningTexts[code]).filter(text => text !== undefined)
  return (
    <footer className={classes.foot}>
      {facts && answer.todayMinutes !== null && (
        <p className={classes.fact}>
          <span>{texts.today}</span> <strong>{hoursMinutes(answer.todayMinutes)}</strong>
        </p>
      )}
      {facts && answer.balanceMinutes !== null && (
        <p className={classes.fact}>
          <span>{texts.balance}</span> <strong>{balance(answer.balanceMinutes)}</strong>
        </p>
      )}
      {warnings.length > 0 && (
        <p className={classes.warning}>
          <Alert />
          {warnings.join(' ')}
        </p>
      )}
      {answer.kind !== 'not_saved' && (
        <p className={classes.stored}>
          {answer.sent ? <Check /> : <Inbox />}
          {answer.sent ? texts.stored : texts.sending}
        </p>
      )}
    </footer>
  )
}
