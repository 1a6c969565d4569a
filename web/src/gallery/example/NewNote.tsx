/** The example's form, in a dialog. */
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import { filled, useForm } from '../../patterns/useForm'
import { DayInput } from '../../ui/dates'
import { currentDay } from '../../ui/days'
import { TextInput } from '../../ui/fields'
import { texts } from './texts'
import { useAddNote } from './useNotes'

const RULES = { text: filled(texts.fillIn), day: filled(texts.fillIn) }

export function NewNote({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const form = useForm({
    initial: { text: '', day: currentDay() },
    rules: RULES,
    acting: useAddNote(companyId),
    input: note => note,
    onDone: () => {
      succeed(texts.added)
      onClose()
    },
  })
  return (
    <FormDialog title={texts.add} form={form} onClose={onClose} submit={texts.add}>
      <TextInput {...form.field('text')} label={texts.text} data-autofocus />
      <DayInput {...form.field('day')} label={texts.day} />
    </FormDialog>
  )
}
