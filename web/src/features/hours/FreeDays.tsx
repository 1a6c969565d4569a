/** A year's free days. The service stores them as a whole: each change sends all of them. */
import { useState } from 'react'
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import { type Column, DataTable } from '../../patterns/table/DataTable'
import { filled, useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { DayInput } from '../../ui/dates'
import { numericDay } from '../../ui/dayText'
import { Checkbox, TextInput } from '../../ui/fields'
import { Plus, Trash } from '../../ui/icons'
import { Buttons } from '../../ui/layout'
import { EmptyState } from '../../ui/states'
import { texts } from './texts'
import { type FreeDay, useSaveFreeDays } from './useHours'

interface FreeDaysProps {
  companyId: string
  year: number
  days: readonly FreeDay[]
}

export function FreeDays(props: FreeDaysProps) {
  const { year, days } = props
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<FreeDay | null>(null)
  const add = (
    <Button icon={<Plus size={18} />} onClick={() => setAdding(true)}>
      {texts.addFree}
    </Button>
  )
  return (
    <>
      <DataTable
        caption={texts.freeDays}
        rows={days}
        columns={columns(setLeaving)}
        keyOf={({ date }) => date}
        sortedBy="date"
        {...(days.length > 0 && { tools: <Buttons>{add}</Buttons> })}
        empty={<EmptyState sentence={texts.noFreeDays(year)} action={add} />}
      />
      {adding && <AddDialog {...props} onClose={() => setAdding(false)} />}
      {leaving !== null && <RemoveDialog {...props} leaving={leaving} onClose={() => setLeaving(null)} />}
    </>
  )
}

function columns(onRemove: (day: FreeDay) => void): Column<FreeDay>[] {
  return [
    {
      key: 'date',
      head: texts.date,
      sortBy: ({ date }) => date,
      cell: ({ date }) => <time dateTime={date}>{numericDay(date)}</time>,
    },
    { key: 'name', head: texts.name, names: true, sortBy: ({ name }) => name, cell: ({ name }) => name },
    { key: 'half', head: texts.length, cell: ({ half }) => (half ? texts.half : texts.whole) },
    { key: 'legal', head: texts.kind, cell: ({ legal }) => (legal ? texts.byLaw : texts.byCompany) },
    {
      key: 'acts',
      head: texts.actions,
      acts: true,
      cell: day => (
        <Button
          icon={<Trash size={18} />}
          aria-label={texts.removeFreeOf(day.name)}
          onClick={() => onRemove(day)}
        >
          {texts.removeFree}
        </Button>
      ),
    },
  ]
}

function AddDialog({ companyId, year, days, onClose }: FreeDaysProps & { onClose: () => void }) {
  const { acting, question } = useSaveFreeDays(companyId)
  const form = useForm({
    initial: { date: '', name: '', half: false, legal: false },
    rules: {
      date: (day: string) =>
        filled(texts.fillIn)(day) ||
        (!day.startsWith(`${year}-`) && texts.otherYear(year)) ||
        (days.some(({ date }) => date === day) && texts.taken),
      name: filled(texts.fillIn),
    },
    acting,
    input: day => ({ year, days: [...days, { ...day, name: day.name.trim() }] }),
    onDone: () => {
      succeed(texts.saved)
      onClose()
    },
  })
  return (
    <>
      <FormDialog title={texts.addFree} form={form} submit={texts.addFree} onClose={onClose}>
        <DayInput {...form.field('date')} label={texts.date} data-autofocus />
        <TextInput {...form.field('name')} label={texts.name} maxLength={100} />
        <Checkbox {...form.tick('half')} label={texts.half} />
        <Checkbox {...form.tick('legal')} label={texts.legal} description={texts.legalHint} />
      </FormDialog>
      {question}
    </>
  )
}

interface RemoveDialogProps extends FreeDaysProps {
  leaving: FreeDay
  onClose: () => void
}

function RemoveDialog({ companyId, year, days, leaving, onClose }: RemoveDialogProps) {
  const { acting, question } = useSaveFreeDays(companyId)
  return (
    <>
      <ConfirmDialog
        title={texts.removeQuestion(leaving.name)}
        consequences={[texts.removeConsequence]}
        confirm={texts.removeFree}
        danger={<Trash size={18} />}
        acting={acting}
        input={{ year, days: days.filter(({ date }) => date !== leaving.date) }}
        done={() => succeed(texts.saved)}
        onClose={onClose}
      />
      {question}
    </>
  )
}
