/**
 * A bar chart of durations over time: worked, credited on top, and a mark for the target. The user picks a bar with a
 * pointer, or with arrow keys as on a slider; its figures appear below. Screen readers get all figures as a table.
 *
 * The chart fills its container: positions are shares of the width, so nothing has to be measured.
 */
import { type CSSProperties, type PointerEvent, type ReactNode, useId, useState } from 'react'
import classes from './Bars.module.css'
import { hoursMinutes, spokenDuration } from './durations'
import { texts } from './texts'

export interface Bar {
  key: string
  /** Below the bar. */
  label: string
  /** In its place where there is little room: "N" for "Nov". */
  short?: string
  /** Whether the label appears even where there is no room for all labels. */
  always?: boolean
  /** The full name: "Montag, 2. November". */
  name: string
  /** In minutes. */
  actual: number
  credit: number
  target: number
  now?: boolean
  /** No figures: dashes instead of zeros. */
  none?: boolean
  /** A day without a target. */
  quiet?: boolean
  /** Below its label, where there is room; and by its head in the table. */
  note?: string
  /** An additional note for its figures. */
  remark?: string | undefined
}

interface BarsProps {
  /** The name of the chart, used by its table and its slider. */
  caption: string
  bars: readonly Bar[]
  /** The names of the three figures and of the bars; `note` heads the notes. */
  words: { each: string; actual: string; credit: string; target: string; note?: string }
  /** An action for the chosen bar. */
  children?: (chosen: Bar) => ReactNode
}

const HEIGHT = 168
const TOP = 10
const MINUTES_PER_HOUR = 60
/** Hours between grid lines; the first step with few enough lines is used. */
const STEPS = [1, 2, 4, 8, 12, 24, 40, 80, 160, 320, 640]
const MOST_LINES = 4

export function Bars({ caption, bars, words, children }: BarsProps) {
  const [wanted, want] = useState<string | null>(null)
  const pattern = useId()
  const chosenIndex = placeOf(bars, wanted)
  const bar = bars[chosenIndex]
  if (bar === undefined) return null
  const scale = scaleOf(bars)
  const slot = 100 / bars.length
  const choose = (place: number) => want(bars[place]?.key ?? null)
  const follow = (event: PointerEvent<HTMLElement>) => {
    if (event.pointerType !== 'mouse') return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const place = Math.floor(((event.clientX - left) / width) * bars.length)
    choose(Math.min(Math.max(place, 0), bars.length - 1))
  }
  return (
    <div className={classes.bars}>
      <Legend words={words} pattern={pattern} />
      <div className={classes.picture}>
        <svg className={classes.scale} aria-hidden="true" height={HEIGHT}>
          {scale.lines.map(minutes => (
            <text key={minutes} x="100%" y={scale.y(minutes) + 4} textAnchor="end">
              {texts.hoursShort(minutes / MINUTES_PER_HOUR)}
            </text>
          ))}
        </svg>
        <div className={classes.plot} onPointerMove={follow}>
          <svg aria-hidden="true" width="100%" height={HEIGHT}>
            <Hatch id={pattern} />
            {bars.map((bar, index) => (
              <Ground key={bar.key} bar={bar} x={index * slot} slot={slot} chosen={index === chosenIndex} />
            ))}
            {scale.lines.map(minutes => (
              <line
                key={minutes}
                className={classes.line}
                x1="0"
                x2="100%"
                y1={scale.y(minutes)}
                y2={scale.y(minutes)}
              />
            ))}
            {bars.map((bar, index) => (
              <Column key={bar.key} bar={bar} x={index * slot} slot={slot} y={scale.y} pattern={pattern} />
            ))}
          </svg>
          <ol className={classes.labels} aria-hidden="true" data-many={bars.length > 12 || undefined}>
            {bars.map(bar => (
              <li
                key={bar.key}
                className={bar.now === true ? classes.now : undefined}
                data-always={bar.always === false ? undefined : true}
              >
                <span className={bar.short === undefined ? undefined : classes.long}>{bar.label}</span>
                {bar.short !== undefined && <span className={classes.short}>{bar.short}</span>}
                {bar.note !== undefined && <span className={classes.note}>{bar.note}</span>}
              </li>
            ))}
          </ol>
          <input
            type="range"
            className={classes.slider}
            style={{ '--count': bars.length } as CSSProperties}
            aria-label={caption}
            aria-valuetext={spokenOf(bar, words)}
            min={0}
            max={bars.length - 1}
            value={chosenIndex}
            onChange={event => choose(Number(event.target.value))}
          />
        </div>
      </div>
      <div className={classes.chosen}>
        <p className={classes.figures}>
          <strong>{bar.name}</strong>
          <Figure name={words.actual} minutes={bar.none === true ? null : bar.actual} />
          {bar.credit !== 0 && <Figure name={words.credit} minutes={bar.credit} />}
          <Figure name={words.target} minutes={bar.none === true ? null : bar.target} />
          {bar.note !== undefined && (
            <span>
              {words.note} <b>{bar.note}</b>
            </span>
          )}
          {bar.remark !== undefined && <span>{bar.remark}</span>}
        </p>
        {children?.(bar)}
      </div>
      <Figures caption={caption} bars={bars} words={words} />
    </div>
  )
}

/** The chosen one; else the present one; else the last that has anything to show; else the first. */
function placeOf(bars: readonly Bar[], wanted: string | null): number {
  const last = bars.findLastIndex(({ actual, credit }) => actual !== 0 || credit !== 0)
  const candidates = [
    bars.findIndex(({ key }) => key === wanted),
    bars.findIndex(({ now }) => now === true),
    last,
    0,
  ]
  return candidates.find(place => place >= 0) ?? 0
}

function scaleOf(bars: readonly Bar[]) {
  const maximum = Math.max(MINUTES_PER_HOUR, ...bars.flatMap(bar => [bar.actual + bar.credit, bar.target]))
  const step =
    MINUTES_PER_HOUR * (STEPS.find(hours => maximum / (hours * MINUTES_PER_HOUR) <= MOST_LINES) ?? 1_280)
  const lines = Array.from({ length: Math.floor(maximum / step) + 1 }, (_, index) => index * step)
  // The base line is a pixel of its own.
  const y = (minutes: number) => HEIGHT - 1 - (Math.max(0, minutes) / maximum) * (HEIGHT - TOP - 1)
  return { lines, y }
}

interface ColumnProps {
  bar: Bar
  /** Both in percent of the width. */
  x: number
  slot: number
}

function Ground({ bar, x, slot, chosen }: ColumnProps & { chosen: boolean }) {
  const className = chosen ? classes.chosenGround : bar.quiet === true ? classes.quiet : null
  if (className === null) return null
  return <rect className={className} x={`${x}%`} width={`${slot}%`} y="0" height={HEIGHT} />
}

/** The share of a bar's place that it leaves free on each side. */
const BESIDE = 0.19

function Column({
  bar,
  x,
  slot,
  y,
  pattern,
}: ColumnProps & { y: (minutes: number) => number; pattern: string }) {
  const across = { x: `${x + slot * BESIDE}%`, width: `${slot * (1 - 2 * BESIDE)}%` }
  const base = y(0)
  const top = y(bar.actual)
  const all = y(bar.actual + bar.credit)
  const due = y(bar.target)
  return (
    <g>
      {bar.actual > 0 && (
        <rect {...across} className={classes.actual} y={top} height={Math.max(base - top, 1)} rx="1.5" />
      )}
      {bar.credit > 0 && (
        <rect
          {...across}
          className={classes.credit}
          fill={`url(#${pattern})`}
          y={all}
          height={Math.max(top - all, 1)}
          rx="1.5"
        />
      )}
      {bar.target > 0 && (
        <line
          className={classes.target}
          x1={`${x + slot * 0.04}%`}
          x2={`${x + slot * 0.96}%`}
          y1={due}
          y2={due}
        />
      )}
    </g>
  )
}

/** For what is credited: seen without its colour, too. */
function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className={classes.hatchGround} width="5" height="5" />
        <line className={classes.hatch} x1="0" x2="0" y1="0" y2="5" />
      </pattern>
    </defs>
  )
}

function Legend({ words, pattern }: Pick<BarsProps, 'words'> & { pattern: string }) {
  return (
    <ul className={classes.legend} aria-hidden="true">
      <li>
        <svg aria-hidden="true" width="18" height="14">
          <rect className={classes.actual} x="1" y="1" width="16" height="12" rx="2" />
        </svg>
        {words.actual}
      </li>
      <li>
        <svg aria-hidden="true" width="18" height="14">
          <rect
            className={classes.credit}
            fill={`url(#${pattern})`}
            x="1"
            y="1"
            width="16"
            height="12"
            rx="2"
          />
        </svg>
        {words.credit}
      </li>
      <li>
        <svg aria-hidden="true" width="18" height="14">
          <line className={classes.target} x1="0" x2="18" y1="7" y2="7" />
        </svg>
        {words.target}
      </li>
    </ul>
  )
}

function Figure({ name, minutes }: { name: string; minutes: number | null }) {
  return (
    <span>
      {name} {minutes === null ? texts.noFigure : <b>{hoursMinutes(minutes)}</b>}
    </span>
  )
}

function spokenOf(bar: Bar, words: BarsProps['words']): string {
  const figures = [
    `${words.actual} ${spokenDuration(bar.actual)}`,
    bar.credit === 0 ? '' : `${words.credit} ${spokenDuration(bar.credit)}`,
    `${words.target} ${spokenDuration(bar.target)}`,
    bar.note === undefined ? '' : `${words.note} ${bar.note}`,
    bar.remark ?? '',
  ]
  return `${bar.name}: ${figures.filter(figure => figure !== '').join(', ')}`
}

/** The same figures as a table, for screen readers. */
function Figures({ caption, bars, words }: Pick<BarsProps, 'caption' | 'bars' | 'words'>) {
  const noted = words.note !== undefined
  return (
    <div className="visually-hidden">
      <table className={classes.table}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {[words.each, words.actual, words.credit, words.target].map(word => (
              <th key={word} scope="col">
                {word}
              </th>
            ))}
            {noted && <th scope="col">{words.note}</th>}
          </tr>
        </thead>
        <tbody>
          {bars.map(bar => (
            <tr key={bar.key}>
              <th scope="row">
                {bar.name}
                {bar.now === true && ` (${texts.presentBar})`}
                {bar.remark !== undefined && ` (${bar.remark})`}
              </th>
              {[bar.actual, bar.credit, bar.target].map((minutes, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column has its place
                <td key={index}>{bar.none === true ? texts.noFigure : spokenDuration(minutes)}</td>
              ))}
              {noted && <td>{bar.note}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
