/** The outcome of a check: one sentence, and its reasons below. */
import type { ReactNode } from 'react'
import { dayOf, timeOf } from '../../ui/days'
import { difference, hoursMinutes, spokenDuration } from '../../ui/durations'
import { Alert, Check, Info } from '../../ui/icons'
import { texts as uiTexts } from '../../ui/texts'
import { writtenDay } from '../../ui/writtenDays'
import { type Bytes, type Finding, STEPS, type Statement, type Step } from './check'
import { FileButton } from './FileDrop'
import type { Examined, Judgement } from './judge'
import classes from './Outcome.module.css'
import { texts } from './texts'

const ICONS = { genuine: Check, apart: Info, not: Alert, none: Info } as const

export function Verdict({ judgement }: { judgement: Judgement }) {
  const { verdict } = judgement
  const Icon = ICONS[verdict]
  return (
    <div className={`${classes.verdict} ${classes[verdict] ?? ''}`}>
      <span className={classes.icon}>
        <Icon size={28} />
      </span>
      <p className={classes.sentence}>{sentenceOf(judgement)}</p>
    </div>
  )
}

function sentenceOf({ verdict, main, other }: Judgement): string {
  const { statement } = main.finding
  if (verdict === 'none') return isPdf(main.content) ? texts.isPdf(main.name) : texts.isNone(main.name)
  if (verdict === 'not' || statement === null) return texts.not(main.finding, main.name)
  if (verdict === 'apart') return texts.apart(statement)
  const previousStatement = other?.finding.statement ?? null
  return previousStatement === null ? texts.genuine(statement) : texts.chained(statement, previousStatement)
}

/** "%PDF-", the start of every PDF. */
const isPdf = (content: Bytes) =>
  [0x25, 0x50, 0x44, 0x46, 0x2d].every((byte, index) => content[index] === byte)

interface DetailsProps {
  judgement: Judgement
  /** Null with two files. */
  onAdd: ((file: File) => void) | null
}

export function Details({ judgement, onAdd }: DetailsProps) {
  const { verdict, main, other } = judgement
  const { statement } = main.finding
  const wantedStatement = statement?.previous ?? null
  return (
    <div className={classes.details}>
      {(verdict === 'not' || verdict === 'none') && (
        <p className={classes.advice}>{texts.advice(main.finding)}</p>
      )}
      {verdict === 'genuine' && other === null && statement !== null && (
        <div className={classes.chain}>
          <p>{wantedStatement === null ? texts.isFirst : texts.needs(wantedStatement.month)}</p>
          {wantedStatement !== null && onAdd !== null && (
            <FileButton
              label={texts.addLabel}
              words={texts.add}
              onFiles={([file]) => file !== undefined && onAdd(file)}
            />
          )}
        </div>
      )}
      {verdict === 'apart' && (
        <div className={classes.chain}>
          <p>{wantedStatement === null ? texts.isFirst : texts.needsAlso(wantedStatement.month)}</p>
          {wantedStatement !== null && <Digest of={wantedStatement.digest} />}
        </div>
      )}
      {verdict !== 'none' && (
        <section className={classes.card} aria-label={texts.steps}>
          <h2>{texts.steps}</h2>
          {other !== null && <p className={classes.file}>{texts.fileOf(main.name)}</p>}
          <Steps finding={main.finding} chained={other !== null && verdict !== 'not'} />
        </section>
      )}
      {statement !== null && (
        <section className={classes.card} aria-label={texts.content}>
          <h2>{texts.content}</h2>
          <Content examined={main} statement={statement} />
        </section>
      )}
    </div>
  )
}

/** The chain is checked for two files. */
function Steps({ finding, chained }: { finding: Finding; chained: boolean }) {
  const steps = STEPS.filter(step => step !== 'chain' || chained)
  const failedAt = finding.at === null ? steps.length : steps.indexOf(finding.at)
  return (
    <ol className={classes.steps}>
      {steps.map((step, index) => (
        <StepLine key={step} step={step} state={stateOf(index, failedAt)} />
      ))}
    </ol>
  )
}

const stateOf = (place: number, failedAt: number) =>
  place < failedAt ? 'passed' : place === failedAt ? 'failed' : 'notReached'

function StepLine({ step, state }: { step: Step; state: 'passed' | 'failed' | 'notReached' }) {
  return (
    <li className={classes[state]}>
      {state === 'passed' && <Check size={20} />}
      {state === 'failed' && <Alert size={20} />}
      {state === 'notReached' && (
        <span className={classes.dash} aria-hidden="true">
          {'–'}
        </span>
      )}
      <span>
        <span className={state === 'passed' ? 'visually-hidden' : classes.state}>{texts[state]} </span>
        {texts.step[step][state]}
      </span>
    </li>
  )
}

function Content({ examined, statement }: { examined: Examined; statement: Statement }) {
  const { sums, previous } = statement
  return (
    <dl className={classes.content}>
      <Member name={texts.person}>{statement.person.username}</Member>
      <Member name={texts.company}>{statement.company.name}</Member>
      <Member name={texts.month}>{texts.monthOf(statement.month)}</Member>
      <Member name={texts.madeAt}>{momentText(statement.madeAt, statement.zone)}</Member>
      <Member name={texts.attested}>{texts.attestedBy(statement.attestedBy, statement.installation)}</Member>
      <Member name={texts.facts}>{texts.factsOf(statement)}</Member>
      <Amount name={texts.actual} minutes={sums.actual} />
      {sums.credits.map(({ kind, minutes }) => (
        <Amount key={kind} name={texts.credit(kind)} minutes={minutes} />
      ))}
      {sums.bookings !== 0 && <Amount name={texts.bookings} minutes={sums.bookings} signed />}
      <Amount name={texts.target} minutes={sums.target} />
      <Amount name={texts.balance} minutes={sums.balance} signed />
      <Amount name={texts.carried} minutes={sums.carried} signed />
      <Member name={texts.digest}>
        <Digest of={examined.digest} />
      </Member>
      {previous !== null && (
        <Member name={texts.before}>
          {texts.beforeOf(previous.month)}
          <Digest of={previous.digest} />
        </Member>
      )}
    </dl>
  )
}

function Member({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Amount({ name, minutes, signed = false }: { name: string; minutes: number; signed?: boolean }) {
  return (
    <Member name={name}>
      <span className="tabular">
        <span aria-hidden="true">{signed ? difference(minutes) : hoursMinutes(minutes)}</span>
        <span className="visually-hidden">{spokenDuration(minutes)}</span>
      </span>
    </Member>
  )
}

/** In groups of eight, which are easy to compare. */
function Digest({ of }: { of: string }) {
  return <code className={classes.digest}>{(of.match(/.{1,8}/g) ?? []).join(' ')}</code>
}

/** The original text, if it is no instant. */
function momentText(text: string, zone: string): string {
  try {
    const moment = new Date(text)
    return `${writtenDay(dayOf(moment, zone))}, ${uiTexts.clock(timeOf(moment, zone))}`
  } catch {
    return text
  }
}
