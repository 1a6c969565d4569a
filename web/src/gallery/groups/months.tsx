/** The month picker: this month, another one, its panel; the year buttons. */
import { MonthPicker } from '../../ui/MonthPicker'
import { YearSteps } from '../../ui/YearSteps'
import { StatefulSpecimen } from '../parts'
import { press, type Specimen } from '../specimen'

export const title = 'Monat'

const picking = (month: string) => () => (
  <StatefulSpecimen of={month}>
    {(chosen, choose) => <MonthPicker month={chosen} onChange={choose} />}
  </StatefulSpecimen>
)

export const specimens: readonly Specimen[] = [
  { name: 'Der aktuelle', render: picking('2026-11') },
  { name: 'Ein anderer', render: picking('2026-09') },
  { name: 'Offen', room: 360, render: picking('2026-09'), act: press('[aria-expanded]') },
  {
    name: 'Jahre',
    render: () => (
      <StatefulSpecimen of={2026}>
        {(year, show) => <YearSteps year={year} label={other => `Freie Tage ${other}`} onYear={show} />}
      </StatefulSpecimen>
    ),
  },
]
