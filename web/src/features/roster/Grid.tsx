/**
 * People by days (WAI-ARIA: grid). A click sets or removes a duty, dragging moves it; a tap, or the space bar, picks
 * one up and drops it; keys move between cells, and actions are announced. One listener for all cells.
 */
import { type KeyboardEvent, type MouseEvent, memo, type PointerEvent, useRef, useState } from 'react'
import { useVirtualRows } from '../../patterns/table/useVirtualRows'
import { Button } from '../../ui/Button'
import { dayInMonth, longDay, shortDay } from '../../ui/days'
import { carry, cellIn, elementAt } from './carrying'
import classes from './grid.module.css'
import type { Person } from './People'
import { type Cell, type CellAction, cellActionAt, ledTo, moving, type Times, timesOf } from './plan'
import { isOff, NO_DAYS, PersonRow } from './Row'
import { texts } from './texts'
import type { Roster } from './useRoster'

const ROW_PX = 41

interface GridProps {
  roster: Roster
  people: readonly Person[]
  /** The heading of a person's group; people are in the order of these headings. */
  groupOf?: ((person: Person) => string) | undefined
  days: readonly string[]
  today: string
  /** The times that a new duty gets. */
  times: Times
  /** Whether a cell has room for words. */
  roomy: boolean
  onDay: (day: string) => void
  /** Opens the dialog for the times of an existing duty. */
  onDuty: (at: Cell) => void
}

export function Grid(props: GridProps) {
  const { roster, people, groupOf, days, today, times, roomy, onDay, onDuty } = props
  const table = useRef<HTMLTableElement>(null)
  const [focus, setFocus] = useState<Cell | null>(null)
  const [held, setHeld] = useState<Cell | null>(null)
  const [said, setSaid] = useState('')
  /** Group headings as strings, between the people. */
  const lines = people.flatMap((person, index): (Person | string)[] => {
    const [group, above] = [groupOf?.(person), people[index - 1]]
    return group === undefined || (above && groupOf?.(above) === group) ? [person] : [group, person]
  })
  const virtualRows = useVirtualRows(table, lines.length, ROW_PX, false)
  const nameOf = (userId: string) => people.find(({ id }) => id === userId)?.username ?? ''
  const dutyAt = ({ userId, date }: Cell) => roster.plan.get(userId)?.get(date)

  const speak = (deed: keyof typeof texts.said, { userId, date }: Cell) =>
    setSaid(texts.said[deed](nameOf(userId), date))
  const perform = (deed: CellAction, at: Cell) => {
    const duty = dutyAt(at)
    const carried = held === null ? undefined : dutyAt(held)
    setHeld(deed === 'pick' ? at : null)
    if (deed === 'add') void roster.change({ changes: [{ ...at, before: null, after: times }] })
    if (deed === 'remove' && duty !== undefined)
      void roster.change({ changes: [{ ...at, before: timesOf(duty), after: null }] })
    if (deed === 'drop' && held !== null && carried !== undefined)
      void roster.change(moving(held, at, timesOf(carried)))
    speak(deed, at)
  }
  const change = (at: Cell) => {
    setHeld(null)
    if (dutyAt(at) !== undefined) onDuty(at)
  }
  const take = (how: 'toggle' | 'carry', at: Cell) =>
    perform(cellActionAt(how, held, at, dutyAt(at) !== undefined), at)

  const onKeyDown = (event: KeyboardEvent) => {
    const cell = cellIn(event.target)
    if (cell === null) return
    const key = event.key.toLowerCase()
    if ((event.ctrlKey || event.metaKey) && (key === 'z' || key === 'y')) {
      event.preventDefault()
      const deed = key === 'y' || event.shiftKey ? 'redo' : 'undo'
      if (roster[deed]()) speak(deed, cell)
      return
    }
    const place = { row: people.findIndex(({ id }) => id === cell.userId), column: days.indexOf(cell.date) }
    const target = ledTo(place, event.key, event.ctrlKey, { rows: people.length, columns: days.length })
    const [person, date] = [people[target?.row ?? -1], days[target?.column ?? -1]]
    if (person !== undefined && date !== undefined) {
      event.preventDefault()
      elementAt(table.current, { userId: person.id, date })?.focus()
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      take(event.key === ' ' ? 'carry' : 'toggle', cell)
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && dutyAt(cell) !== undefined) {
      perform('remove', cell)
    } else if (key === 'z' && dutyAt(cell) !== undefined) {
      event.preventDefault()
      change(cell)
    } else if (event.key === 'Escape') {
      roster.forgetRefusal()
      if (held !== null) perform('back', held)
    }
  }
  const onClick = (event: MouseEvent) => {
    const cell = cellIn(event.target)
    if (cell === null) return
    if ((event.target as Element).closest('[role="alert"]') !== null) return roster.forgetRefusal()
    const { pointerType } = event.nativeEvent as unknown as { pointerType?: string }
    take(pointerType === 'touch' || pointerType === 'pen' ? 'carry' : 'toggle', cell)
  }
  const onContextMenu = (event: MouseEvent) => {
    const cell = cellIn(event.target)
    if (cell === null || dutyAt(cell) === undefined) return
    event.preventDefault()
    change(cell)
  }
  const onPointerDown = (event: PointerEvent) => {
    const from = cellIn(event.target)
    const duty = from === null ? undefined : dutyAt(from)
    if (event.pointerType !== 'mouse' || event.button !== 0 || from === null || duty === undefined) return
    carry(event, elementAt(table.current, from), to => {
      setHeld(null)
      void roster.change(moving(from, to, timesOf(duty)))
      speak('drop', to)
      elementAt(table.current, to)?.focus({ preventScroll: true })
    })
  }

  const shownPeople = virtualRows.indices.map(index => lines[index]).filter(line => typeof line === 'object')
  const inSight = focus !== null && days.includes(focus.date) && people.some(({ id }) => id === focus.userId)
  const anchor = inSight
    ? focus
    : { userId: shownPeople[0]?.id ?? '', date: days.includes(today) ? today : days[0] }
  const refused = roster.refusal
  const last = refused?.cells[0]
  return (
    <>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {held !== null && (
        <div className={classes.held}>
          <span>{texts.heldNow(nameOf(held.userId))}</span>
          <Button onClick={() => perform('back', held)}>{texts.putBack}</Button>
          <Button onClick={() => change(held)}>{texts.changeTimes}</Button>
          <Button onClick={() => perform('remove', held)}>{texts.remove}</Button>
        </div>
      )}
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are worked with is a grid
        role="grid"
        aria-label={texts.plan(longDay(days[0] ?? today), longDay(days.at(-1) ?? today))}
        aria-rowcount={lines.length + 2}
        className={classes.grid}
        data-roomy={roomy || undefined}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onContextMenu={onContextMenu}
        onPointerDown={onPointerDown}
        onFocus={event => setFocus(cellIn(event.target) ?? focus)}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={classes.name}>
              {texts.person}
            </th>
            {days.map(day => (
              <Head key={day} day={day} today={today} name={roster.names[day]} onDay={onDay} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={virtualRows.before} columns={days.length + 1} />
          {virtualRows.indices.map(index => {
            const person = lines[index]
            if (person === undefined) return null
            if (typeof person === 'string') {
              return (
                <tr key={person} aria-rowindex={index + 2} data-index={index}>
                  <th scope="rowgroup" colSpan={days.length + 1} className={classes.group}>
                    {person}
                  </th>
                </tr>
              )
            }
            const { id } = person
            return (
              <PersonRow
                key={id}
                index={index}
                person={person}
                days={days}
                today={today}
                roomy={roomy}
                names={roster.names}
                duties={roster.plan.get(id) ?? NO_DAYS}
                marks={roster.marks.get(id) ?? NO_DAYS}
                hints={roster.hints.get(id) ?? NO_DAYS}
                focused={anchor.userId === id ? anchor.date : undefined}
                held={held?.userId === id ? held.date : undefined}
                refused={last?.userId === id ? last.date : undefined}
                sentence={
                  last?.userId === id && refused !== null
                    ? `${refused.sentence} ${refused.cells.length > 1 ? texts.cellsRefused(refused.cells.length - 1) : ''}`
                    : undefined
                }
              />
            )
          })}
          <Space height={virtualRows.after} columns={days.length + 1} />
        </tbody>
        <Foot row={lines.length + 2} people={people} days={days} today={today} plan={roster.plan} />
      </table>
    </>
  )
}

/** The space of rows outside the virtual window. */
function Space({ height, columns }: { height: number; columns: number }) {
  if (height === 0) return null
  return (
    <tr>
      <td colSpan={columns} style={{ height }} />
    </tr>
  )
}

interface HeadProps {
  day: string
  today: string
  name: string | undefined
  onDay: (day: string) => void
}

const Head = memo(function Head({ day, today, name, onDay }: HeadProps) {
  const { weekday } = shortDay(day)
  return (
    <th
      scope="col"
      data-today={day === today || undefined}
      data-off={isOff(day, name) || undefined}
      title={name}
    >
      <button type="button" onClick={() => onDay(day)}>
        <span className="visually-hidden">{texts.openDay(dayInMonth(day))}</span>
        <span aria-hidden="true">{weekday}</span>
        <time dateTime={day} aria-hidden="true">
          {Number(day.slice(8))}
        </time>
      </button>
      {name !== undefined && <span className={classes.called}>{name}</span>}
    </th>
  )
})

interface FootProps extends Pick<GridProps, 'people' | 'days' | 'today'> {
  row: number
  plan: Roster['plan']
}

/** The number of people on duty by day. */
const Foot = memo(function Foot({ row, people, days, today, plan }: FootProps) {
  const counts: Record<string, number> = {}
  for (const { id } of people)
    for (const day of (plan.get(id) ?? NO_DAYS).keys()) counts[day] = (counts[day] ?? 0) + 1
  return (
    <tfoot>
      <tr aria-rowindex={row}>
        <th scope="row" className={classes.name}>
          {texts.onDuty}
        </th>
        {days.map(day => (
          <td key={day} data-today={day === today || undefined}>
            {counts[day] ?? 0}
          </td>
        ))}
      </tr>
    </tfoot>
  )
})
