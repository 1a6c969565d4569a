/** A person's records: export as a file, and erasure after they have left, with a printable report. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../../../api/client'
import type { components } from '../../../api/schema'
import type { User } from '../../../entities/people/people'
import { peopleKey } from '../../../entities/people/usePeople'
import { Export } from '../../../patterns/Export'
import { FormDialog } from '../../../patterns/FormDialog'
import { type Column, DataTable } from '../../../patterns/table/DataTable'
import { useAct } from '../../../patterns/useAct'
import { filled, useForm } from '../../../patterns/useForm'
import { Button } from '../../../ui/Button'
import { DialogButtons, useFocusOnShow } from '../../../ui/Dialog'
import { momentOf } from '../../../ui/days'
import { numericDay } from '../../../ui/dayText'
import { Textarea } from '../../../ui/fields'
import { Printer, Trash } from '../../../ui/icons'
import { Buttons, Card, Section } from '../../../ui/layout'
import { now } from '../../../ui/now'
import { Printed } from '../../../ui/Printed'
import { texts } from './texts'

type Erasure = components['schemas']['ErasureRow']
type Kept = Erasure['kept'][number]
type Erased = Erasure['erased'][number]

export function Records({ companyId, user }: { companyId: string; user: User }) {
  const [asked, setAsked] = useState(false)
  const queries = useQueryClient()
  const close = () => {
    setAsked(false)
    // Only now: once the list omits the person, this page has no subject.
    void queries.invalidateQueries({ queryKey: peopleKey(companyId) })
  }
  const path = `/api/users/${encodeURIComponent(user.id)}/data`
  return (
    <Card title={texts.records} lead={texts.recordsLead} narrow>
      <Export
        files={[{ key: 'data', label: texts.takeData, path, name: texts.dataName }]}
        failed={texts.statementFailed}
      />
      <Buttons>
        <Button icon={<Trash size={18} />} onClick={() => setAsked(true)}>
          {texts.erase}
        </Button>
      </Buttons>
      {asked && <EraseDialog user={user} onClose={close} />}
    </Card>
  )
}

const EMPTY = { comment: '' }
const RULES = { comment: filled(texts.fillIn) }

function EraseDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [made, setMade] = useState<Erasure | null>(null)
  const acting = useAct(
    async (body: components['schemas']['Erasing']) =>
      dataOf(await api.POST('/api/users/{userId}/erasure', { params: { path: { userId: user.id } }, body })),
    texts.eraseFailed,
  )
  const form = useForm({
    initial: EMPTY,
    rules: RULES,
    acting,
    input: ({ comment }: typeof EMPTY) => ({ comment: comment.trim() }),
    onDone: setMade,
  })
  const title = texts.protocol(user.username)
  const content = made !== null && <Protocol title={title} erasure={made} onClose={onClose} />
  return (
    <FormDialog
      title={texts.eraseTitle(user.username)}
      form={form}
      submit={{ label: texts.eraseNow, danger: <Trash size={18} /> }}
      size={720}
      answer={content ? { title, content } : null}
      onClose={onClose}
    >
      <ul>
        {texts.eraseConsequences.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Textarea
        {...form.field('comment')}
        label={texts.reason}
        description={texts.eraseReasonHint}
        maxLength={500}
        data-autofocus
      />
    </FormDialog>
  )
}

interface ProtocolProps {
  title: string
  erasure: Erasure
  onClose: () => void
}

function Protocol({ title, erasure, onClose }: ProtocolProps) {
  const [at] = useState(() => momentOf(now()))
  const print = useFocusOnShow<HTMLButtonElement>()
  return (
    <>
      <p>{texts.protocolLead}</p>
      <Lists erasure={erasure} />
      <DialogButtons>
        <Button onClick={onClose}>{texts.done}</Button>
        <Button ref={print} look="primary" icon={<Printer size={18} />} onClick={() => window.print()}>
          {texts.print}
        </Button>
      </DialogButtons>
      <Printed>
        <h1>{title}</h1>
        <p>{texts.protocolAt(at)}</p>
        <ul>
          {erasure.erased.map(record => (
            <li key={record.what}>{texts.erasedLine(record.what, record.count)}</li>
          ))}
          {erasure.kept.map(record => (
            <li key={record.what}>
              {texts.keptLine(record.what, record.count, keptUntil(record), record.why)}
            </li>
          ))}
        </ul>
      </Printed>
    </>
  )
}

const keptUntil = ({ until: day }: Kept) => (day === null ? texts.withoutEnd : numericDay(day))

const ERASED: readonly Column<Erased>[] = [
  { key: 'what', head: texts.what, names: true, cell: ({ what }) => what },
  { key: 'count', head: texts.count, align: 'end', cell: ({ count }) => count },
]
const KEPT_COLUMNS: readonly Column<Kept>[] = [
  { key: 'what', head: texts.what, names: true, cell: ({ what }) => what },
  { key: 'count', head: texts.count, align: 'end', cell: ({ count }) => count },
  { key: 'until', head: texts.until, cell: keptUntil },
  { key: 'why', head: texts.why, cell: ({ why }) => why },
]

function Lists({ erasure: { erased, kept } }: { erasure: Erasure }) {
  const nothingText = <p className="muted">{texts.nothing}</p>
  return (
    <>
      <Section title={texts.erased}>
        <DataTable
          caption={texts.erased}
          rows={erased}
          columns={ERASED}
          keyOf={record => record.what}
          empty={nothingText}
        />
      </Section>
      <Section title={texts.kept}>
        <DataTable
          caption={texts.kept}
          rows={kept}
          columns={KEPT_COLUMNS}
          keyOf={record => record.what}
          empty={nothingText}
        />
      </Section>
    </>
  )
}
