/** A list for deciding, with its panel, in each of its states. */
import { Refused } from '../../api/failures'
import { type Action, DecideList, Waiting } from '../../patterns/decide/DecideList'
import { Facts } from '../../ui/layout'
import { EmptyState } from '../../ui/states'
import { Stage } from '../parts'
import { inTurn, noop, press, type Specimen } from '../specimen'

export const title = 'Entscheiden'

interface Leave {
  name: string
  days: string
  cost: string
}

const LEAVES: readonly Leave[] = [
  { name: 'Mia Sommer', days: '3.–7. August 2026', cost: '5 Tage, danach bleiben 12.' },
  { name: 'Finn Maurer', days: '7. August 2026', cost: '1 Tag, danach bleiben 20.' },
  {
    name: 'Maximiliane-Charlotte von Hohenstein-Schlüterburg',
    days: '30. Oktober – 2. November 2026',
    cost: '2 Tage, danach bleibt keiner.',
  },
]

const later = async () => noop()

const ACTIONS: readonly Action<Leave>[] = [
  { key: 'a', label: 'Urlaub genehmigen', act: later, tone: 'primary' },
  { key: 'd', label: 'Ablehnen', act: later, tone: 'danger', needsSentence: true },
]

const list = (label: string, items = LEAVES, actions = ACTIONS) => (
  <DecideList
    label={label}
    items={items}
    keyOf={({ name }) => name}
    nameOf={({ name }) => `${label}: ${name}`}
    row={({ name, days }) => (
      <span>
        <strong>{name}</strong>
        <br />
        <span className="muted">{days}</span>
      </span>
    )}
    detail={({ days, cost }) => (
      <Facts
        facts={[
          { term: 'Urlaub', value: days },
          { term: 'Kostet', value: cost },
        ]}
      />
    )}
    actions={() => actions}
    failed="Die Entscheidung konnte nicht gesendet werden."
    empty={<EmptyState sentence="Alles erledigt. 31 von 34 sind da." />}
  />
)

/** Refused at once: the specimen leaves its page, and comes back. */
const refused = (status: number, message: string, code = 'refused') =>
  ACTIONS.map(action => ({
    ...action,
    act: async () => {
      throw new Refused(status, { message, code })
    },
  }))

const decideNow = inTurn(press('[aria-keyshortcuts=a]'), () => window.dispatchEvent(new Event('pagehide')))

export const specimens: readonly Specimen[] = [
  { name: 'Drei warten', render: () => list('Urlaub') },
  {
    name: 'Zwei ausgewählt',
    render: () => list('Auswahl'),
    act: inTurn(press('li:nth-child(1) input'), press('li:nth-child(2) input')),
  },
  {
    name: 'Ohne den Satz, der nötig ist',
    render: () => list('Satz', LEAVES.slice(0, 1)),
    act: press('[aria-keyshortcuts=d]'),
  },
  {
    name: 'Inzwischen von jemand anderem entschieden',
    render: () =>
      list(
        'Zu spät',
        LEAVES.slice(0, 1),
        refused(409, 'Ingrid Holm hat das heute um 07:12 Uhr genehmigt.', 'already_decided'),
      ),
    act: decideNow,
  },
  {
    name: 'Nicht angenommen',
    render: () => list('Noch einmal', LEAVES.slice(1, 2), refused(500, 'Die Datenbank antwortet nicht.')),
    act: decideNow,
  },
  { name: 'Nichts zu entscheiden', render: () => list('Nichts', []) },
  {
    name: 'Die Tasten',
    render: () => <Stage height={640}>{list('Tasten', LEAVES.slice(0, 1))}</Stage>,
    act: press('[aria-haspopup=dialog]'),
  },
  {
    name: 'Gerade entschieden, noch nicht gesendet',
    render: () => (
      <Waiting pending={{ items: [], label: 'Urlaub genehmigen', at: Date.now() + 7_000 }} onUndo={noop} />
    ),
  },
]
