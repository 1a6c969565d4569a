/** Imports people from a table: previews it, creates all or no people, and shows their passwords once. */
import { useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useState } from 'react'
import { Refused } from '../../../api/failures'
import type { components } from '../../../api/schema'
import { useOwnCompany } from '../../../entities/companies/useOwnCompany'
import { peopleKey } from '../../../entities/people/usePeople'
import { type Column, DataTable } from '../../../patterns/table/DataTable'
import { saveAs, send } from '../../../patterns/transfer'
import { useAct } from '../../../patterns/useAct'
import { Button } from '../../../ui/Button'
import { Dialog, DialogButtons, DoneButton } from '../../../ui/Dialog'
import { TextInput } from '../../../ui/fields'
import { Download } from '../../../ui/icons'
import { ErrorNotice, Notice } from '../../../ui/Notice'
import { texts as uiTexts } from '../../../ui/texts'
import classes from '../people.module.css'
import { PasswordList } from '../ResetAll'
import { texts as userTexts } from '../texts'
import { texts } from './texts'

type Schemas = components['schemas']
type Imported = Schemas['Imported']
type Row = Schemas['ImportedRow']

const MOST_BYTES = 2 * 1024 * 1024

/** Invalid lines are an answer, not an error. */
function useImport(companyId: string) {
  const queries = useQueryClient()
  return useAct(async ({ file, dryRun }: { file: File; dryRun: boolean }): Promise<Imported> => {
    const form = new FormData()
    form.append('file', file)
    try {
      const path = `/api/companies/${encodeURIComponent(companyId)}/users/import?dryRun=${dryRun}`
      return (await send(path, form)) as Imported
    } catch (error) {
      const refusedImport = error instanceof Refused ? (error.body as Partial<Imported>) : {}
      if (refusedImport.rows === undefined || refusedImport.rows.length === 0) throw error
      return { rows: refusedImport.rows, created: [] }
    } finally {
      if (!dryRun) void queries.invalidateQueries({ queryKey: peopleKey(companyId) })
    }
  }, texts.importFailed)
}

export function ImportDialog({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const company = useOwnCompany() ?? ''
  const importing = useImport(companyId)
  const [file, setFile] = useState<File | null>(null)
  const [tooLarge, setTooLarge] = useState(false)
  const [answer, setAnswer] = useState<Imported | null>(null)
  const choose = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const chosenFile = currentTarget.files?.[0]
    // Choosing the same, corrected file again must fire a change, too.
    const clearInput = () => {
      currentTarget.value = ''
    }
    if (chosenFile === undefined) return
    importing.reset()
    setAnswer(null)
    setTooLarge(chosenFile.size > MOST_BYTES)
    setFile(chosenFile)
    if (chosenFile.size <= MOST_BYTES) setAnswer(await importing.run({ file: chosenFile, dryRun: true }))
    clearInput()
  }
  const make = async () => {
    if (file === null) return
    // A user who has to wait for another import keeps the checked preview.
    const imported = await importing.run({ file, dryRun: false })
    if (imported !== null) setAnswer(imported)
  }
  const rows = answer?.rows ?? []
  const wrong = rows.filter(({ errors }) => errors.length > 0)
  const created = answer?.created ?? []
  const title = created.length > 0 ? texts.imported(created.length) : texts.importTitle
  return (
    <Dialog title={title} size={680} stays={created.length > 0} busy={importing.busy} onClose={onClose}>
      {created.length > 0 ? (
        <Created title={title} company={company} created={created} onClose={onClose} />
      ) : (
        <>
          <p>{texts.importLead}</p>
          <div>
            <Button look="plain" icon={<Download size={18} />} onClick={saveTemplate}>
              {texts.template}
            </Button>
          </div>
          <TextInput
            type="file"
            accept=".csv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            label={texts.chooseFile}
            description={texts.chooseHint}
            error={tooLarge && texts.fileTooLarge}
            disabled={importing.busy}
            onChange={event => void choose(event)}
          />
          {file !== null && <p className="muted">{texts.chosen(file.name)}</p>}
          {importing.busy && <p role="status">{answer === null ? texts.checking : texts.making}</p>}
          <ErrorNotice failure={importing.failure} />
          {rows.length > 0 && (
            <Notice
              tone={wrong.length > 0 ? 'error' : 'done'}
              live="polite"
              title={
                wrong.length > 0 ? texts.someWrong(wrong.length, rows.length) : texts.allFine(rows.length)
              }
            >
              {wrong.length === 0 && areUneven(rows) && <p>{texts.unevenNumbers}</p>}
            </Notice>
          )}
          {rows.length > 0 && (
            <DataTable
              caption={texts.rows}
              rows={rows}
              columns={COLUMNS}
              keyOf={({ line }) => String(line)}
              scrolls
              room={0}
            />
          )}
          <DialogButtons>
            <Button onClick={onClose}>{uiTexts.cancel}</Button>
            {rows.length > 0 && wrong.length === 0 && (
              <Button look="primary" busy={importing.busy} onClick={() => void make()}>
                {texts.createMany(rows.length)}
              </Button>
            )}
          </DialogButtons>
        </>
      )}
    </Dialog>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'line', head: texts.line, sortBy: ({ line }) => line, cell: ({ line }) => line },
  {
    key: 'name',
    head: texts.named,
    names: true,
    sortBy: ({ username }) => username,
    cell: ({ username }) => username || texts.unnamed,
  },
  {
    key: 'errors',
    head: texts.finding,
    sortBy: ({ errors }) => -errors.length,
    cell: ({ errors, ...row }) =>
      errors.length === 0 ? (
        <div className={`muted ${classes.finding}`}>{saidOf(row)}</div>
      ) : (
        errors.map(sentence => (
          <div key={sentence} className={classes.finding}>
            {sentence}
          </div>
        ))
      ),
  },
]

/** A person's resulting data, for the preview. */
function saidOf({
  tagId,
  role,
  personnelNumber,
  department,
  entryDate,
  weeklyTargetMinutes: minutes,
}: Omit<Row, 'errors'>) {
  return [
    tagId && texts.tag(tagId),
    role && userTexts.roles[role],
    personnelNumber && texts.number(personnelNumber),
    department,
    entryDate && texts.from(entryDate),
    typeof minutes === 'number' && texts.weekly(minutes),
  ]
    .filter(Boolean)
    .join(' · ')
}

const areUneven = (rows: readonly Row[]) =>
  new Set(rows.flatMap(({ personnelNumber }) => personnelNumber?.length ?? [])).size > 1

interface CreatedProps {
  title: string
  company: string
  created: Imported['created']
  onClose: () => void
}

function Created({ title, company, created, onClose }: CreatedProps) {
  const random = created.flatMap(person =>
    person.password === null ? [] : [{ ...person, password: person.password }],
  )
  if (random.length > 0)
    return (
      <PasswordList
        title={title}
        company={company}
        passwords={random}
        hint={texts.passwordsHint}
        printed={texts.passwordsPrinted}
        onClose={onClose}
      />
    )
  return (
    <>
      <p>{texts.ownPasswords}</p>
      <DoneButton onClose={onClose} />
    </>
  )
}

/** With a byte order mark, so that Excel detects UTF-8. */
const saveTemplate = () =>
  saveAs(new Blob(['\ufeff', texts.templateText], { type: 'text/csv' }), texts.templateName)
