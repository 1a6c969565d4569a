/** The example's form, in a dialog. */
import { Form } from '../../patterns/Form'
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import { filled, useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { DialogButtons } from '../../ui/Dialog'
import { DayInput } from '../../ui/dates'
import { TextInput } from '../../ui/fields'
import { texts as uiTexts } from '../../ui/texts'
import { texts } from './texts'
import { useAddNote } from './useNotes'

const EMPTY = { text: '', day: '2026-11-20' }
const RULES = { text: filled(texts.fillIn), day: filled(texts.fillIn) }

export function NewNote({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initial: EMPTY,
    rules: RULES,
    acting: useAddNote(),
    input: note => note,
    onDone: () => {
      succeed(texts.added)
      onClose()
    },
  })
  return (
    <FormDialog title={texts.add} form={form} onClose={onClose}>
      {close => (
        <Form
          form={form}
          buttons={
            <DialogButtons>
              <Button onClick={close}>{uiTexts.cancel}</Button>
              <Button type="submit" look="primary" busy={form.busy}>
                {texts.add}
              </Button>
            </DialogButtons>
          }
        >
          <TextInput {...form.field('text')} label={texts.text} data-autofocus />
          <DayInput {...form.field('day')} label={texts.day} />
        </Form>
      )}
    </FormDialog>
  )
}
