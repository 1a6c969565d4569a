/** The example of `docs/guides/add-a-page.md`: a list, a form, and an irreversible action. */
import { useState } from 'react'
import type { PageProps } from '../../features/feature'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { numericDay } from '../../ui/dayText'
import { Plus, Trash } from '../../ui/icons'
import { EmptyState } from '../../ui/states'
import { NewNote } from './NewNote'
import type { Note } from './schema'
import { texts } from './texts'
import { useNotes, useRemoveNote } from './useNotes'

export function NotesPage({ session: { companyId } }: PageProps) {
  const notes = useNotes(companyId)
  const [adding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Note | null>(null)
  const noteColumns = columns(setRemoved)
  const add = (
    <Button look="primary" icon={<Plus size={20} />} onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  return (
    <Page title={texts.title} lead={texts.lead} actions={add}>
      <QueryView query={notes} failed={texts.failed} skeleton={<TableSkeleton columns={noteColumns} />}>
        {known => (
          <DataTable
            caption={texts.title}
            rows={known}
            columns={noteColumns}
            keyOf={note => note.id}
            search={{ label: texts.search, matches, nothing: texts.nothingFound }}
            csv={texts.title}
            empty={<EmptyState sentence={texts.empty} action={add} />}
          />
        )}
      </QueryView>
      {adding && <NewNote companyId={companyId} onClose={() => setAdding(false)} />}
      {removed !== null && <RemoveNote note={removed} onClose={() => setRemoved(null)} />}
    </Page>
  )
}

const matches = ({ text }: Note, words: string) => text.toLowerCase().includes(words.toLowerCase())

function columns(onRemove: (note: Note) => void): Column<Note>[] {
  return [
    { key: 'text', head: texts.text, names: true, sortBy: note => note.text, cell: note => note.text },
    {
      key: 'day',
      head: texts.day,
      sortBy: note => note.day,
      cell: note => <time dateTime={note.day}>{numericDay(note.day)}</time>,
    },
    { key: 'by', head: texts.by, sortBy: note => note.by, cell: note => note.by },
    {
      key: 'acts',
      head: texts.acts,
      acts: true,
      cell: note => (
        <Button
          icon={<Trash size={18} />}
          aria-label={texts.removeOf(note.text)}
          onClick={() => onRemove(note)}
        >
          {texts.remove}
        </Button>
      ),
    },
  ]
}

function RemoveNote({ note, onClose }: { note: Note; onClose: () => void }) {
  const removing = useRemoveNote(note.id)
  return (
    <ConfirmDialog
      title={texts.removeQuestion}
      consequences={texts.removeConsequences}
      confirm={texts.remove}
      danger={<Trash size={18} />}
      acting={removing}
      done={() => succeed(texts.removed)}
      onClose={onClose}
    />
  )
}
