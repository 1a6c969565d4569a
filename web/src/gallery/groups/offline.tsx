/** Differences while the service is out of reach. */
import { reportUnreachable } from '../../api/connectivity'
import { Form } from '../../patterns/Form'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { DialogButtons } from '../../ui/Dialog'
import { TextInput } from '../../ui/fields'
import { NOW } from '../clock'
import { acting } from '../data'
import { Narrow } from '../parts'
import { noop, type Specimen } from '../specimen'

export const title = 'Ohne Verbindung'

export const prepare = reportUnreachable

function NameForm() {
  const form = useForm({
    initial: { username: 'Mia Sommer' },
    acting: acting(),
    input: values => values,
    onDone: noop,
  })
  return (
    <Form
      form={form}
      buttons={
        <DialogButtons>
          <Button type="submit" look="primary">
            Speichern
          </Button>
        </DialogButtons>
      }
    >
      <TextInput {...form.field('username')} label="Benutzername" />
    </Form>
  )
}

export const specimens: readonly Specimen[] = [
  {
    name: 'Eine Seite',
    render: () => (
      <Page title="Deine Zeiten" lead="Was du gestempelt hast, Monat für Monat." asOf={NOW - 720_000}>
        <p>Was zuletzt zu sehen war.</p>
      </Page>
    ),
  },
  {
    name: 'Was nicht zu sehen ist',
    render: () => (
      <QueryView
        query={{ data: undefined, error: null, isFetching: true, refetch: noop }}
        failed=""
        skeleton={null}
      >
        {() => null}
      </QueryView>
    ),
  },
  {
    name: 'Ein Formular',
    render: () => (
      <Narrow>
        <NameForm />
      </Narrow>
    ),
  },
]
