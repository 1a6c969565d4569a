/** Forms in dialogs, sheets on phones, each in its own window. */
import { FormDialog } from '../../patterns/FormDialog'
import { useForm } from '../../patterns/useForm'
import { Copyable } from '../../ui/Copyable'
import { DoneButton } from '../../ui/Dialog'
import { PasswordInput, TextInput } from '../../ui/fields'
import { acting } from '../data'
import { Stage } from '../parts'
import { inTurn, noop, press, type Specimen, type } from '../specimen'

export const title = 'Formulare in Dialogen'

export const columns = true

const READY = acting()

function NewLogin({ answered = false }: { answered?: boolean }) {
  const form = useForm({
    initial: { username: '', password: '' },
    acting: READY,
    input: values => values,
    onDone: noop,
  })
  const answer = {
    title: 'Login „Finn Maurer“ angelegt',
    content: (
      <>
        <p>Gib das Passwort jetzt weiter; es wird nicht noch einmal gezeigt.</p>
        <Copyable large text="Tanne-Kessel-47" label="Passwort von Finn Maurer" />
        <DoneButton onClose={noop} />
      </>
    ),
  }
  return (
    <FormDialog
      title="Login anlegen"
      form={form}
      answer={answered ? answer : null}
      onClose={noop}
      submit="Anlegen"
    >
      <TextInput {...form.field('username')} label="Benutzername" autoComplete="off" data-autofocus />
      <PasswordInput {...form.field('password')} label="Passwort" description="Mindestens 8 Zeichen." />
    </FormDialog>
  )
}

export const specimens: readonly Specimen[] = [
  {
    name: 'Ein Formular, auf dem Handy ein Blatt',
    render: () => (
      <Stage height={480} phone={844}>
        <NewLogin />
      </Stage>
    ),
  },
  {
    name: 'Was das Formular geantwortet hat',
    render: () => (
      <Stage height={360} phone={844}>
        <NewLogin answered />
      </Stage>
    ),
  },
  {
    name: 'Ein Formular, das mit einer Eingabe verlassen wird',
    render: () => (
      <Stage height={480} phone={844}>
        <NewLogin />
      </Stage>
    ),
    act: inTurn(type('input', 'Finn'), press('[aria-label="Schließen"]')),
  },
]
