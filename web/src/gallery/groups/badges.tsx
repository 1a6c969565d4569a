/** Badges in every tone, and those that explain themselves. */
import { Badge, type Explained, ExplainedBadges } from '../../ui/Badge'
import { Alert, Check, Clock, Moon } from '../../ui/icons'
import { Row } from '../parts'
import { press, type Specimen } from '../specimen'

export const title = 'Badges'

const EXPLAINED: readonly Explained[] = [
  {
    key: 'night',
    label: 'Nachtarbeit',
    tone: 'note',
    icon: <Moon size={16} />,
    explanation: 'Zwischen 23:00 und 6:00 gearbeitet.',
  },
  {
    key: 'rest',
    label: 'Ruhezeit unter 11h',
    tone: 'warn',
    icon: <Alert size={16} />,
    explanation: 'Zwischen zwei Arbeitstagen müssen elf Stunden liegen; hier waren es 8h 45m.',
  },
  {
    key: 'in',
    label: 'Eingestempelt',
    tone: 'in',
    icon: <Clock size={16} />,
    explanation: 'Seit 07:58 Uhr.',
  },
]

export const specimens: readonly Specimen[] = [
  {
    name: 'In jedem Ton',
    render: () => (
      <Row>
        <Badge>Mitarbeiter</Badge>
        <Badge icon={<Moon size={16} />}>Nachtarbeit</Badge>
        <Badge tone="warn" icon={<Alert size={16} />}>
          Mehr als 10h
        </Badge>
        <Badge tone="in" icon={<Check size={16} />}>
          Genehmigt
        </Badge>
      </Row>
    ),
  },
  { name: 'Mit Erklärung', render: () => <ExplainedBadges badges={EXPLAINED} /> },
  {
    name: 'Eine Erklärung offen',
    render: () => <ExplainedBadges badges={EXPLAINED} />,
    act: press('li:nth-child(2) button'),
  },
]
