/** A form in each of its states, with fields of every kind. */
import { Form } from '../../patterns/Form'
import type { Acting } from '../../patterns/useAct'
import { filled, useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { DialogButtons } from '../../ui/Dialog'
import { DayInput } from '../../ui/dates'
import { Checkbox, TextInput } from '../../ui/fields'
import { Select } from '../../ui/Select'
import { acting } from '../data'
import { Narrow } from '../parts'
import { noop, press, type Specimen } from '../specimen'

export const title = 'Formulare'

export const columns = true

const FILLED = { username: 'Mia Sommer', role: 'user', from: '2026-11-20', told: true }
const EMPTY = { username: '', role: null as string | null, from: '', told: false }
const FILL_IN = 'Bitte ausfüllen.'
const RULES = { username: filled(FILL_IN), role: filled('Bitte auswählen.'), from: filled(FILL_IN) }

const READY = acting()
const BUSY = acting({ busy: true })
const REFUSED = acting({
  failure: {
    title: 'Login konnte nicht angelegt werden.',
    detail: 'Die Firma hat schon 500 Logins; mehr sind nicht vorgesehen.',
  },
})
const FIELD_REFUSED = acting({
  failure: { title: 'Login konnte nicht angelegt werden.', detail: '' },
  fields: { username: 'Dieser Name ist schon vergeben.' },
})

function LoginForm({ initial, doing }: { initial: typeof EMPTY; doing: Acting<unknown, object> }) {
  const form = useForm({
    initial,
    rules: RULES,
    incomplete: 'Es fehlt noch etwas.',
    acting: doing,
    input: values => values,
    onDone: noop,
  })
  return (
    <Narrow>
      <Form
        form={form}
        buttons={
          <DialogButtons>
            <Button disabled={form.busy}>Abbrechen</Button>
            <Button type="submit" look="primary" busy={form.busy}>
              Anlegen
            </Button>
          </DialogButtons>
        }
      >
        <TextInput {...form.field('username')} label="Benutzername" autoComplete="off" />
        <Select {...form.field('role')} label="Rolle" data={[{ value: 'user', label: 'Mitarbeiter' }]} />
        <DayInput {...form.field('from')} label="Gilt ab" />
        <Checkbox
          label="Per Mail mitteilen"
          checked={form.values.told}
          onChange={event => form.set('told', event.currentTarget.checked)}
        />
      </Form>
    </Narrow>
  )
}

export const specimens: readonly Specimen[] = [
  { name: 'Ausgefüllt', render: () => <LoginForm initial={FILLED} doing={READY} /> },
  {
    name: 'Leer abgeschickt',
    render: () => <LoginForm initial={EMPTY} doing={READY} />,
    act: press('[type=submit]'),
  },
  { name: 'Unterwegs', render: () => <LoginForm initial={FILLED} doing={BUSY} /> },
  { name: 'Abgelehnt', render: () => <LoginForm initial={FILLED} doing={REFUSED} /> },
  { name: 'An einem Feld abgelehnt', render: () => <LoginForm initial={FILLED} doing={FIELD_REFUSED} /> },
]
