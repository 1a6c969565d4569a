/** Company holidays: listing them, adding some with exceptions, and removing them. */
import { useState } from 'react'
import { PersonLink } from '../../entities/people/PersonLink'
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import { type Column, DataTable } from '../../patterns/table/DataTable'
import { filled, useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { DayInput } from '../../ui/dates'
import { currentDay } from '../../ui/days'
import { TextInput } from '../../ui/fields'
import { Plus, Trash } from '../../ui/icons'
import { Buttons } from '../../ui/layout'
import { Notice } from '../../ui/Notice'
import { EmptyState } from '../../ui/states'
import { texts } from './texts'
import { type Closure, type Created, type Person, useAddClosure, useRemoveClosure } from './useYear'

interface ClosuresProps {
  companyId: string
  closures: readonly Closure[]
  people: readonly Person[]
}

export function Closures({ companyId, closures, people }: ClosuresProps) {
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Closure | null>(null)
  const [created, setCreated] = useState<Created | null>(null)
  const removing = useRemoveClosure(companyId)
  const nameOf = (userId: string) => people.find(person => person.userId === userId)?.username ?? ''
  const add = (
    <Button icon={<Plus size={18} />} onClick={() => setAdding(true)}>
      {texts.addClosure}
    </Button>
  )
  return (
    <>
      {created !== null && created.skipped.length > 0 && (
        <Notice live="polite" title={texts.skipped}>
          <ul>
            {created.skipped.map(({ userId, reason }) => (
              <li key={`${userId} ${reason}`}>
                <PersonLink userId={userId} username={nameOf(userId)} /> {texts.reasons[reason]}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <DataTable
        caption={texts.closures}
        rows={closures}
        columns={columns(setLeaving)}
        keyOf={({ id }) => id}
        {...(closures.length > 0 && { tools: <Buttons>{add}</Buttons> })}
        empty={<EmptyState sentence={texts.noClosures} action={add} />}
      />
      {adding && <AddDialog companyId={companyId} onCreated={setCreated} onClose={() => setAdding(false)} />}
      {leaving !== null && (
        <ConfirmDialog
          title={texts.removeQuestion(leaving.name)}
          consequences={texts.removeConsequences}
          confirm={texts.remove}
          danger={<Trash size={18} />}
          acting={removing}
          input={leaving.id}
          done={() => succeed(texts.removed)}
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  )
}

function columns(onRemove: (closure: Closure) => void): Column<Closure>[] {
  const today = currentDay()
  return [
    { key: 'name', head: texts.closureName, names: true, cell: ({ name }) => name },
    { key: 'days', head: texts.days, cell: closure => texts.spanOfDays(closure.startDate, closure.endDate) },
    {
      key: 'acts',
      head: texts.actions,
      acts: true,
      cell: closure =>
        closure.endDate < today ? (
          <span className="muted">{texts.over}</span>
        ) : (
          <Button
            icon={<Trash size={18} />}
            aria-label={texts.removeOf(closure.name)}
            onClick={() => onRemove(closure)}
          >
            {texts.remove}
          </Button>
        ),
    },
  ]
}

interface AddDialogProps {
  companyId: string
  onCreated: (created: Created) => void
  onClose: () => void
}

function AddDialog({ companyId, onCreated, onClose }: AddDialogProps) {
  const form = useForm({
    initial: { startDate: '', endDate: '', name: texts.closures as string },
    rules: {
      startDate: filled(texts.fillIn),
      endDate: filled(texts.fillIn),
      name: filled(texts.fillIn),
    },
    acting: useAddClosure(companyId),
    input: closure => ({ ...closure, name: closure.name.trim() }),
    onDone: created => {
      if (created !== null) {
        succeed(texts.given(created.created))
        onCreated(created)
      }
      onClose()
    },
  })
  return (
    <FormDialog title={texts.addClosure} form={form} submit={texts.addClosure} onClose={onClose}>
      <DayInput {...form.field('startDate')} label={texts.from} data-autofocus />
      <DayInput {...form.field('endDate')} label={texts.to} />
      <TextInput {...form.field('name')} label={texts.closureName} maxLength={100} />
    </FormDialog>
  )
}
