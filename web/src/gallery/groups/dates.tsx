/** Days and moments: empty, filled, wrong, disabled, and the calendar. */
import { DayInput } from '../../ui/dates'
import { MomentInput, TimeInput } from '../../ui/times'
import { Fields, Narrow, StatefulSpecimen } from '../parts'
import { inTurn, noop, press, type Specimen } from '../specimen'

export const title = 'Tage und Zeitpunkte'

const TODAY = '2026-11-20'
const HINT = 'Frühestens der Tag, an dem der Chip ausgegeben wurde.'

const openCalendar = press('input')

export const specimens: readonly Specimen[] = [
  {
    name: 'DayInput',
    render: () => (
      <Fields>
        <StatefulSpecimen of="">
          {(day, set) => <DayInput label="Kein Tag" value={day} onChange={set} />}
        </StatefulSpecimen>
        <StatefulSpecimen of={TODAY}>
          {(day, set) => <DayInput label="Tag" value={day} onChange={set} />}
        </StatefulSpecimen>
        <StatefulSpecimen of={TODAY}>
          {(day, set) => <DayInput label="Tag mit Hinweis" description={HINT} value={day} onChange={set} />}
        </StatefulSpecimen>
        <StatefulSpecimen of={TODAY}>
          {(day, set) => (
            <DayInput label="Falscher Tag" error="Liegt nach dem letzten Tag." value={day} onChange={set} />
          )}
        </StatefulSpecimen>
        <DayInput label="Gesperrter Tag" value={TODAY} onChange={noop} disabled />
      </Fields>
    ),
  },
  {
    name: 'TimeInput',
    render: () => (
      <Fields>
        <StatefulSpecimen of="">
          {(time, set) => <TimeInput label="Keine Uhrzeit" value={time} onChange={set} />}
        </StatefulSpecimen>
        <StatefulSpecimen of="07:58">
          {(time, set) => <TimeInput label="Uhrzeit" value={time} onChange={set} />}
        </StatefulSpecimen>
        <StatefulSpecimen of="07:58">
          {(time, set) => (
            <TimeInput label="Falsche Uhrzeit" error="Liegt in der Zukunft." value={time} onChange={set} />
          )}
        </StatefulSpecimen>
        <TimeInput label="Gesperrte Uhrzeit" value="07:58" onChange={noop} disabled />
      </Fields>
    ),
  },
  {
    name: 'MomentInput',
    render: () => (
      <Fields>
        <StatefulSpecimen of="">
          {(at, set) => <MomentInput label="Kein Zeitpunkt" value={at} onChange={set} />}
        </StatefulSpecimen>
        <StatefulSpecimen of={`${TODAY}T07:58`}>
          {(at, set) => <MomentInput label="Zeitpunkt" description={HINT} value={at} onChange={set} />}
        </StatefulSpecimen>
        <StatefulSpecimen of={`${TODAY}T`}>
          {(at, set) => (
            <MomentInput
              label="Falscher Zeitpunkt"
              error="Bitte Tag und Uhrzeit."
              value={at}
              onChange={set}
            />
          )}
        </StatefulSpecimen>
        <MomentInput label="Gesperrter Zeitpunkt" value={`${TODAY}T07:58`} onChange={noop} disabled />
      </Fields>
    ),
  },
  {
    name: 'Kalender, ein Tag gewählt',
    room: 480,
    render: () => (
      <Narrow>
        <StatefulSpecimen of="2026-11-12">
          {(day, set) => <DayInput label="Von" value={day} onChange={set} />}
        </StatefulSpecimen>
      </Narrow>
    ),
    act: openCalendar,
  },
  {
    name: 'Kalender, nicht jeder Tag wählbar',
    room: 480,
    render: () => (
      <Narrow>
        <StatefulSpecimen of="">
          {(day, set) => <DayInput label="Bis" value={day} min="2026-11-05" max={TODAY} onChange={set} />}
        </StatefulSpecimen>
      </Narrow>
    ),
    act: openCalendar,
  },
  {
    name: 'Kalender, die Monate',
    room: 420,
    render: () => (
      <Narrow>
        <StatefulSpecimen of="2026-11-12">
          {(day, set) => <DayInput label="Im Monat" value={day} onChange={set} />}
        </StatefulSpecimen>
      </Narrow>
    ),
    act: inTurn(openCalendar, press('.mantine-DateInput-calendarHeaderLevel')),
  },
]
