/** Layout components. */
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { SearchInput } from '../../ui/fields'
import { Check, Plus, Trash } from '../../ui/icons'
import { Buttons, Card, CardList, Facts, Fold, Section, Toolbar } from '../../ui/layout'
import { SkeletonRows } from '../../ui/states'
import { PEOPLE } from '../data'
import { noop, press, type Specimen } from '../specimen'

export const title = 'Karten, Abschnitte, Listen'

const FACTS = [
  { term: 'Firma', value: 'Tischlerei Holm' },
  { term: 'Firmen-ID', value: '0f6e1d2c-4b5a-4f8e-9d3c-2b1a09f8e7d6' },
  { term: 'Anschrift', value: 'Werkstraße 4\n20539 Hamburg' },
]

const list = (look: 'cards' | 'joined' | 'plain') => (
  <CardList label={look} look={look} items={PEOPLE.slice(0, 2)} keyOf={user => user.id}>
    {user =>
      look === 'joined' ? <Fold line={user.username}>Seit März dabei.</Fold> : <p>{user.username}</p>
    }
  </CardList>
)

export const specimens: readonly Specimen[] = [
  {
    name: 'Eine Karte mit allem',
    render: () => (
      <Card
        title="Authenticator-App"
        lead="Ein zweiter Nachweis beim Login, den nur dein Handy kennt."
        badge={
          <Badge tone="in" icon={<Check />}>
            Aktiv
          </Badge>
        }
      >
        <Facts facts={FACTS} />
        <Buttons>
          <Button look="primary">Einrichten</Button>
          <Button>Abbrechen</Button>
        </Buttons>
      </Card>
    ),
  },
  {
    name: 'Eine schmale, und eine für Seltenes',
    render: () => (
      <>
        <Card narrow label="Urlaub">
          <Facts
            sums
            facts={[
              { term: 'Anspruch', value: '30 Tage' },
              { term: 'Genommen', value: '−12 Tage' },
              { term: 'Bleibt', value: '18 Tage', total: true },
            ]}
          />
        </Card>
        <Card quiet title="Firma löschen" lead="Mit allen Logins und Zeiten.">
          <Buttons>
            <Button icon={<Trash size={18} />}>Firma löschen</Button>
          </Buttons>
        </Card>
      </>
    ),
  },
  {
    name: 'Abschnitt, Leiste, Karten',
    render: () => (
      <>
        <Toolbar>
          <SearchInput label="Person suchen" value="" onChange={noop} />
          <Button look="primary" icon={<Plus size={20} />}>
            Login anlegen
          </Button>
        </Toolbar>
        <Section title="Angestellte" count={2} actions={<Button look="plain">Alle</Button>}>
          {list('cards')}
        </Section>
      </>
    ),
  },
  { name: 'Eine Liste in einem Rahmen', render: () => list('joined'), act: press('summary') },
  { name: 'Eine Liste ohne Rahmen', render: () => list('plain') },
  { name: 'Was noch kommt', render: () => <SkeletonRows rows={3} height={48} /> },
]
