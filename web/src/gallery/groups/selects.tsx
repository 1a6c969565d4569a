/** The select, closed in each state, and its list: the chosen one, groups, nothing found. */
import { Select, type SelectProps } from '../../ui/Select'
import { Fields, Narrow, StatefulSpecimen } from '../parts'
import type { Specimen } from '../specimen'

export const title = 'Auswahl'

const ROLES = [
  { value: 'user', label: 'Mitarbeiter' },
  { value: 'companyAdmin', label: 'Firmen-Admin' },
  { value: 'admin', label: 'System-Admin' },
]

const GROUPED = [
  { group: 'Werkstatt', items: ['Hobelbank', 'Kreissäge und Abrichthobel im hinteren Raum'] },
  { group: 'Büro', items: ['Empfang', 'Lohn'] },
]

function ChosenSelect({ of, ...rest }: { of: string | null } & Omit<SelectProps, 'value' | 'onChange'>) {
  return (
    <StatefulSpecimen of={of}>
      {(value, set) => <Select {...rest} value={value} onChange={set} />}
    </StatefulSpecimen>
  )
}

export const specimens: readonly Specimen[] = [
  {
    name: 'Zu',
    render: () => (
      <Fields>
        <ChosenSelect label="Keine Rolle" of={null} data={ROLES} placeholder="Rolle auswählen" />
        <ChosenSelect label="Rolle" of="user" data={ROLES} />
        <ChosenSelect
          label="Rolle mit Hinweis"
          of="user"
          data={ROLES}
          description="Gilt nach dem nächsten Login."
        />
        <ChosenSelect label="Falsche Rolle" of={null} data={ROLES} error="Bitte auswählen." />
        <ChosenSelect label="Gesperrte Rolle" of="admin" data={ROLES} disabled />
      </Fields>
    ),
  },
  {
    name: 'Offen, das Gewählte markiert',
    room: 240,
    render: () => (
      <Narrow>
        <ChosenSelect label="Offene Rolle" of="companyAdmin" data={ROLES} dropdownOpened />
      </Narrow>
    ),
  },
  {
    name: 'Offen, eines nicht zu wählen',
    room: 190,
    render: () => (
      <Narrow>
        <ChosenSelect
          label="Vertretung"
          of={null}
          data={[
            { value: 'ben', label: 'Ben Kurz' },
            { value: 'clara', label: 'Clara Voss (nicht verfügbar)', disabled: true },
          ]}
          placeholder="Person auswählen"
          dropdownOpened
        />
      </Narrow>
    ),
  },
  {
    name: 'Offen, in Gruppen',
    room: 380,
    render: () => (
      <Narrow>
        <ChosenSelect label="Ort" of="Empfang" data={GROUPED} dropdownOpened />
      </Narrow>
    ),
  },
  {
    name: 'Offen, nichts gefunden',
    room: 150,
    render: () => (
      <Narrow>
        <ChosenSelect
          label="Firma"
          of={null}
          data={['Tischlerei Holm']}
          searchable
          searchValue="Malerei"
          nothingFoundMessage="Keine Firma mit diesem Namen."
          dropdownOpened
        />
      </Narrow>
    ),
  },
]
