/** A person's row of the grid: a cell for each day, re-rendered only when its data has changed. */
import { memo, type ReactNode } from 'react'
import classes from './grid.module.css'
import type { Person } from './People'
import type { Duty, Mark, Times } from './plan'
import { texts } from './texts'

/** The row's data by day. */
export type Days<Value> = ReadonlyMap<string, Value>
export const NO_DAYS = new Map<string, never>() as Days<never>

interface RowProps {
  index: number
  person: Person
  days: readonly string[]
  today: string
  roomy: boolean
  names: Readonly<Record<string, string>>
  duties: Days<Duty>
  marks: Days<Mark>
  hints: Days<readonly string[]>
  focused: string | undefined
  held: string | undefined
  refused: string | undefined
  sentence: string | undefined
}

export const PersonRow = memo(function PersonRow(props: RowProps) {
  const { index, person, days, today, roomy, names, duties, marks, hints, focused, held, refused } = props
  return (
    <tr aria-rowindex={index + 2} data-index={index}>
      <th scope="row" className={classes.name}>
        {person.username}
      </th>
      {days.map(day => {
        const [duty, mark, hint] = [duties.get(day), marks.get(day), hints.get(day)]
        const words = wordsOf(duty, mark, hint)
        return (
          <td
            key={day}
            data-cell={`${person.id} ${day}`}
            data-mark={mark?.kind}
            data-half={mark?.half ?? undefined}
            data-asked={mark?.asked || undefined}
            data-off={isOff(day, names[day]) || undefined}
            data-today={day === today || undefined}
            data-held={day === held || undefined}
            data-refused={day === refused || undefined}
            tabIndex={day === focused ? 0 : -1}
            // The cell's accessible name as well: its content is hidden from screen readers, and a label would have to
            // repeat the abbreviations.
            title={words || undefined}
          >
            {mark !== undefined && (
              <span className={classes.mark} aria-hidden="true">
                {(roomy ? texts.marks : texts.marksShort)[mark.kind]}
                {mark.asked && '?'}
              </span>
            )}
            {duty !== undefined && (
              <span
                className={classes.pill}
                aria-hidden="true"
                data-new={!duty.published || undefined}
                data-hint={hint && ''}
              >
                {roomy ? (texts.times(duty) ?? texts.duty) : <Short times={duty} />}
              </span>
            )}
            {day === refused && (
              <span role="alert" className={classes.refusal}>
                {props.sentence}
              </span>
            )}
          </td>
        )
      })}
    </tr>
  )
}, sameRow)

/** "6" above "14³⁰": the short form for narrow cells. */
function Short({ times: { start, end } }: { times: Times }): ReactNode {
  if (start === null) return texts.short
  return (
    <>
      <Hour time={start} />
      {end !== null && <Hour time={end} />}
    </>
  )
}

function Hour({ time }: { time: string }) {
  const [hours, minutes] = time.split(':')
  return (
    <span>
      {Number(hours)}
      {minutes !== '00' && <sup>{minutes}</sup>}
    </span>
  )
}

function wordsOf(duty: Duty | undefined, mark: Mark | undefined, hints: readonly string[] = []): string {
  return [
    duty && `${texts.duty} ${texts.times(duty) ?? ''}`.trim(),
    duty?.published === false && texts.unpublished,
    mark && `${texts.marks[mark.kind]} ${mark.half === null ? '' : texts.halves[mark.half]}`.trim(),
    mark?.asked && texts.asked,
    ...hints,
  ]
    .filter(Boolean)
    .join(', ')
}

/** A weekend, or a named day. */
export const isOff = (day: string, name: string | undefined) =>
  name !== undefined || new Date(`${day}T00:00Z`).getUTCDay() % 6 === 0

/** Each answer creates new maps with the same values. */
function sameRow(one: RowProps, other: RowProps): boolean {
  const { duties, marks, hints, ...rest } = one
  const maps = [duties, marks, hints] as const
  const others = [other.duties, other.marks, other.hints] as const
  return (
    Object.entries(rest).every(([name, value]) => other[name as keyof RowProps] === value) &&
    maps.every((map, index) => sameMap(map, others[index] ?? NO_DAYS))
  )
}

const sameMap = (a: Days<unknown>, b: Days<unknown>) =>
  a === b || (a.size === b.size && [...a].every(([day, value]) => b.get(day) === value))
