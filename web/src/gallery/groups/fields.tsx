/** Every field: empty, filled, with a hint, wrong, disabled. */
import {
  Checkbox,
  CodeInput,
  PasswordInput,
  SearchInput,
  SpelledInput,
  Textarea,
  TextInput,
} from '../../ui/fields'
import { Fields, StatefulSpecimen } from '../parts'
import { noop, type Specimen } from '../specimen'

export const title = 'Felder'

const HINT = 'Wie auf dem Ausweis.'
const WRONG = 'Bitte ausfüllen.'

export const specimens: readonly Specimen[] = [
  {
    name: 'TextInput',
    render: () => (
      <Fields>
        <TextInput label="Leer" placeholder="z. B. Mia Sommer" />
        <TextInput label="Ausgefüllt" defaultValue="Maximiliane-Charlotte von Hohenstein" />
        <TextInput label="Mit Hinweis" description={HINT} defaultValue="Mia Sommer" />
        <TextInput label="Falsch" error={WRONG} />
        <TextInput
          label="Falsch, mit Hinweis"
          description={HINT}
          defaultValue="Mia"
          error="Dieser Name ist in der Firma schon vergeben; wähle einen anderen."
        />
        <TextInput label="Gesperrt" defaultValue="Mia Sommer" disabled />
      </Fields>
    ),
  },
  {
    name: 'Textarea',
    render: () => (
      <Fields>
        <Textarea label="Leere Zeilen" placeholder="z. B. Zahnarzt" />
        <Textarea label="Zeilen" defaultValue={'Ich habe das Gehen vergessen.\nDer Chip lag in der Jacke.'} />
        <Textarea label="Falsche Zeilen" error={WRONG} />
        <Textarea label="Gesperrte Zeilen" defaultValue="Zahnarzt" disabled />
      </Fields>
    ),
  },
  {
    name: 'PasswordInput',
    render: () => (
      <Fields>
        <PasswordInput label="Leeres Passwort" autoComplete="off" />
        <PasswordInput label="Verdeckt" defaultValue="geheim" description="Mindestens 8 Zeichen." />
        <PasswordInput label="Gezeigt" defaultValue="Tanne-Kessel-47" visible onVisibilityChange={noop} />
        <PasswordInput label="Falsches Passwort" defaultValue="geheim" error="Mindestens 8 Zeichen." />
        <PasswordInput label="Gesperrtes Passwort" defaultValue="geheim" disabled />
      </Fields>
    ),
  },
  {
    name: 'SpelledInput',
    render: () => (
      <Fields>
        <SpelledInput label="Leere Tag-ID" placeholder="z. B. 04A1B2C3D4E5F6" />
        <SpelledInput label="Tag-ID" defaultValue="04A1B2C3D4E5F6" description="Steht auf dem Chip." />
        <SpelledInput label="Falsche Tag-ID" defaultValue="04A1XX" error="Nur 0 bis 9 und A bis F." />
        <SpelledInput label="Gesperrte Tag-ID" defaultValue="04A1B2C3D4E5F6" disabled />
      </Fields>
    ),
  },
  {
    name: 'CodeInput',
    render: () => (
      <Fields>
        <StatefulSpecimen of="">
          {(value, set) => <CodeInput label="Kein Code" value={value} onChange={set} />}
        </StatefulSpecimen>
        <StatefulSpecimen of="204981">
          {(value, set) => (
            <CodeInput label="Code" description="Aus deiner App." value={value} onChange={set} />
          )}
        </StatefulSpecimen>
        <StatefulSpecimen of="2049">
          {(value, set) => (
            <CodeInput label="Falscher Code" error="Der Code hat 6 Ziffern." value={value} onChange={set} />
          )}
        </StatefulSpecimen>
        <CodeInput label="Gesperrter Code" value="204981" onChange={noop} disabled />
      </Fields>
    ),
  },
  {
    name: 'SearchInput',
    render: () => (
      <Fields>
        <StatefulSpecimen of="">
          {(value, set) => (
            <SearchInput label="Suchen" placeholder="Name oder Tag-ID" value={value} onChange={set} />
          )}
        </StatefulSpecimen>
        <StatefulSpecimen of="Sommer">
          {(value, set) => <SearchInput label="Gesucht" value={value} onChange={set} />}
        </StatefulSpecimen>
        <SearchInput label="Keine Suche" value="" onChange={noop} disabled />
      </Fields>
    ),
  },
  {
    name: 'Checkbox',
    render: () => (
      <Fields>
        <Checkbox label="Nicht gewählt" />
        <Checkbox label="Gewählt" defaultChecked />
        <Checkbox label="Mit Hinweis" description="Gilt ab dem nächsten Tag." defaultChecked />
        <Checkbox label="Falsch" error="Bitte bestätigen." />
        <Checkbox label="Gesperrt" disabled />
        <Checkbox label="Gesperrt und gewählt" disabled defaultChecked />
      </Fields>
    ),
  },
]
