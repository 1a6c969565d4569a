/** The month calendar: a quiet month, a full day and its panel, interactive entries. */
import { Clock } from '../../ui/icons'
import { type CalendarEntry, MonthCalendar } from '../../ui/MonthCalendar'
import { StatefulSpecimen } from '../parts'
import { noop, press, type Specimen } from '../specimen'

export const title = 'Kalender'

const duty = (day: string, more: Partial<CalendarEntry> = {}): CalendarEntry => ({
  id: `d-${day}`,
  day,
  label: 'Dienst',
  tone: 'duty',
  onPress: noop,
  action: 'übergeben',
  ...more,
})

const ENTRIES: readonly CalendarEntry[] = [
  duty('2026-11-03'),
  duty('2026-11-04', { detail: '07:00–15:30' }),
  duty('2026-11-12', { tone: 'open', detail: 'Anfrage offen', icon: <Clock />, onPress: undefined }),
  { id: 'l-1', day: '2026-11-17', label: 'Urlaub', tone: 'leave' },
  { id: 'l-2', day: '2026-11-18', label: 'Wunschfrei', tone: 'note' },
]

const FULL = ['Anna', 'Ben', 'Clara', 'Dora', 'Emil'].map((label, index) => ({
  id: label,
  day: '2026-11-11',
  label,
  tone: 'note' as const,
  onPress: index === 0 ? noop : undefined,
}))

const month = (entries: readonly CalendarEntry[], names?: Record<string, string>) => () => (
  <StatefulSpecimen of="2026-11">
    {(shown, show) => (
      <MonthCalendar
        month={shown}
        onMonth={show}
        entries={entries}
        today="2026-11-20"
        marked="2026-11-12"
        caption="Dienste im November 2026"
        {...(names === undefined ? {} : { names })}
      />
    )}
  </StatefulSpecimen>
)

export const specimens: readonly Specimen[] = [
  { name: 'Ein Monat', render: month(ENTRIES, { '2026-11-18': 'Buß- und Bettag' }) },
  { name: 'Mehr, als Platz hat', render: month(FULL), act: press('[aria-expanded]') },
]
