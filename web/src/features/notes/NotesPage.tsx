/** "Tagesnotizen": what administrators have written for a day. */
import { type FormEvent, useState } from 'react'
import { useReachable } from '../../api/connectivity'
import { sentenceOf } from '../../api/failures'
import { Button } from '../../ui/Button'
import { TextField } from '../../ui/fields'
import { ErrorNotice, OfflineBanner } from '../../ui/Notice'
import { PageFrame } from '../../ui/PageFrame'
import { EmptyState, ErrorState, PageSkeleton } from '../../ui/states'
import type { PageProps } from '../feature'
import { texts } from './texts'
import { type Note, useNotes, useRemoveNote, useWriteNote } from './useNotes'

export function NotesPage({ session: { companyId } }: PageProps) {
  const reachable = useReachable()
  return (
    <PageFrame title={texts.title} lead={texts.lead}>
      {!reachable && <OfflineBanner asOf={null} consequence={texts.offline} />}
      <NewNote companyId={companyId} />
      <Notes companyId={companyId} />
    </PageFrame>
  )
}

function NewNote({ companyId }: { companyId: string }) {
  const [date, setDate] = useState('')
  const [text, setText] = useState('')
  const writing = useWriteNote(companyId)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if ((await writing.run({ date, text })) !== null) setText('')
  }
  return (
    <form onSubmit={submit}>
      <TextField type="date" label={texts.day} value={date} onChange={setDate} />
      <TextField label={texts.text} value={text} onChange={setText} maxLength={500} />
      <ErrorNotice failure={writing.failure} />
      <Button type="submit" look="primary" disabled={date === '' || text === ''} busy={writing.busy}>
        {texts.write}
      </Button>
    </form>
  )
}

function Notes({ companyId }: { companyId: string }) {
  const notes = useNotes(companyId)
  if (notes.data === undefined) {
    if (notes.error === null) return <PageSkeleton />
    return (
      <ErrorState
        title={texts.failed}
        detail={sentenceOf(notes.error, texts.failed)}
        busy={notes.isFetching}
        onRetry={notes.refetch}
      />
    )
  }
  if (notes.data.length === 0) return <EmptyState sentence={texts.empty} />
  return (
    <ul aria-label={texts.list}>
      {notes.data.map(note => (
        <Item key={note.id} companyId={companyId} note={note} />
      ))}
    </ul>
  )
}

function Item({ companyId, note }: { companyId: string; note: Note }) {
  const removing = useRemoveNote(companyId)
  return (
    <li>
      <p>
        <time dateTime={note.date}>{note.date}</time> {note.text}
      </p>
      <ErrorNotice failure={removing.failure} />
      <Button
        look="plain"
        aria-label={texts.removeNote(note.text)}
        busy={removing.busy}
        onClick={() => removing.run(note.id)}
      >
        {texts.remove}
      </Button>
    </li>
  )
}
