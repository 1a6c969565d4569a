/** Every dialog, each in its own window. */
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Copyable } from '../../ui/Copyable'
import { Dialog, DialogButtons, DoneButton } from '../../ui/Dialog'
import { CodeInput } from '../../ui/fields'
import { Trash } from '../../ui/icons'
import { acting } from '../data'
import { Stage } from '../parts'
import { inTurn, noop, press, type Specimen, type } from '../specimen'

export const title = 'Dialoge'

export const columns = true

const CONSEQUENCES = [
  'Mia Sommer kann sich nicht mehr einloggen.',
  'Der Chip 04A1B2C3D4E5F7 wird frei.',
  'Die gestempelten Zeiten bleiben erhalten.',
]

const deletion = {
  title: 'Login „Mia Sommer“ löschen?',
  consequences: CONSEQUENCES,
  confirm: 'Endgültig löschen',
  danger: <Trash size={18} />,
  acting: acting(),
  onClose: noop,
}

const TYPED = {
  word: 'Tischlerei Holm',
  label: 'Zum Bestätigen: Tischlerei Holm',
  wrong: 'Das stimmt nicht überein.',
}

export const specimens: readonly Specimen[] = [
  {
    name: 'Ein Dialog',
    render: () => (
      <Stage height={300}>
        <Dialog title="Code eingeben" onClose={noop}>
          <p>Wir haben dir einen Code geschickt.</p>
          <CodeInput label="6-stelliger Code" value="204" onChange={noop} />
          <DialogButtons>
            <Button look="plain">Neuen Code anfordern</Button>
            <Button look="primary">Einloggen</Button>
          </DialogButtons>
        </Dialog>
      </Stage>
    ),
  },
  {
    name: 'Eine Frage',
    render: () => (
      <Stage height={300}>
        <ConfirmDialog
          {...deletion}
          title="Alle anderen Geräte abmelden?"
          consequences={['Auf 3 Geräten muss sich wieder eingeloggt werden.']}
          confirm="Abmelden"
          danger={undefined}
        />
      </Stage>
    ),
  },
  {
    name: 'Eine Frage, deren Antwort nicht zurückzunehmen ist',
    render: () => (
      <Stage height={340}>
        <ConfirmDialog {...deletion} />
      </Stage>
    ),
  },
  {
    name: 'Mit einem falschen Wort bestätigt',
    render: () => (
      <Stage height={480}>
        <ConfirmDialog {...deletion} title="Firma „Tischlerei Holm“ löschen?" typed={TYPED} />
      </Stage>
    ),
    act: inTurn(type('input', 'Tischlerei'), press('[type=submit]')),
  },
  {
    name: 'Unterwegs, nachdem es misslang',
    render: () => (
      <Stage height={420}>
        <ConfirmDialog
          {...deletion}
          acting={acting({
            busy: true,
            failure: {
              title: 'Login konnte nicht gelöscht werden.',
              detail: 'Die Datenbank antwortet nicht.',
            },
          })}
        />
      </Stage>
    ),
  },
  {
    name: 'Eine Antwort, die bleibt',
    render: () => (
      <Stage height={400}>
        <ConfirmDialog
          {...deletion}
          title="Passwort von Mia Sommer zurücksetzen?"
          acting={acting({ run: async () => ({}) })}
          answer={() => ({
            title: 'Neues Passwort für Maximiliane-Charlotte von Hohenstein-Schlüterburg',
            stays: true,
            content: (
              <>
                <p>Gib es jetzt weiter; es wird nicht noch einmal gezeigt.</p>
                <Copyable large text="Tanne-Kessel-47" label="Passwort" />
                <DoneButton onClose={noop} />
              </>
            ),
          })}
        />
      </Stage>
    ),
    act: press('[type=submit]'),
  },
  {
    name: 'Mit einem Haken bestätigt, der fehlt',
    render: () => (
      <Stage height={400}>
        <ConfirmDialog
          {...deletion}
          title="Zeit löschen?"
          ticked={{ label: 'Die Zeit soll gelöscht werden.', wrong: 'Bitte ankreuzen.' }}
        />
      </Stage>
    ),
    act: press('[type=submit]'),
  },
]
