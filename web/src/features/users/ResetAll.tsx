/** New passwords for a whole company: a confirmation, then a list that is shown and printed only once. */
import { useState } from 'react'
import type { components } from '../../api/schema'
import { type Column, DataTable } from '../../patterns/table/DataTable'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { CopyText } from '../../ui/Copyable'
import { DialogButtons, DoneButton, useFocusOnShow } from '../../ui/Dialog'
import { momentOf } from '../../ui/days'
import { Printer, Refresh } from '../../ui/icons'
import { now } from '../../ui/now'
import { Printed } from '../../ui/Printed'
import { texts as uiTexts } from '../../ui/texts'
import classes from './ResetAll.module.css'
import { texts } from './texts'
import { useResetAll } from './useUsers'

type NewPassword = Pick<components['schemas']['ResetOfMany'], 'userId' | 'username' | 'password'>

interface ResetAllProps {
  company: { id: string; name: string }
  onClose: () => void
}

export function ResetAll({ company, onClose }: ResetAllProps) {
  const resetting = useResetAll(company.id)
  return (
    <ConfirmDialog
      title={texts.allQuestion(company.name)}
      consequences={texts.allConsequences}
      confirm={texts.allConfirm}
      danger={<Refresh size={18} />}
      acting={resetting}
      onClose={onClose}
      answer={passwords => listOf(company.name, passwords, onClose)}
    />
  )
}

function listOf(company: string, passwords: readonly NewPassword[], onClose: () => void) {
  const title = texts.listTitle(company)
  return passwords.length === 0
    ? { title, content: <NobodyReset onClose={onClose} /> }
    : {
        title,
        size: 640,
        stays: true,
        content: <PasswordList title={title} company={company} passwords={passwords} onClose={onClose} />,
      }
}

function NobodyReset({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p>{texts.listEmpty}</p>
      <DoneButton onClose={onClose} />
    </>
  )
}

interface PasswordListProps {
  title: string
  passwords: readonly NewPassword[]
  company: string
  hint?: string
  /** On paper: the time of creation and of expiry. */
  printed?: (moment: string) => string
  onClose: () => void
}

export function PasswordList(props: PasswordListProps) {
  const { title, company, passwords, hint = texts.listHint, printed = texts.printedAt, onClose } = props
  const [at] = useState(now)
  const print = useFocusOnShow<HTMLButtonElement>()
  const asText = passwords.map(({ username, password }) => `${username}\t${password}`).join('\n')
  return (
    <>
      <p>{hint}</p>
      <DataTable
        caption={title}
        rows={passwords}
        columns={COLUMNS}
        keyOf={({ userId }) => userId}
        scrolls
        room={0}
      />
      <DialogButtons>
        <Button onClick={onClose}>{texts.listDone}</Button>
        <CopyText text={asText} label={texts.listAsText} />
        <Button ref={print} look="primary" icon={<Printer size={18} />} onClick={() => window.print()}>
          {texts.print}
        </Button>
      </DialogButtons>
      <PaperList title={title} company={company} passwords={passwords} printed={printed} at={at} />
    </>
  )
}

const COLUMNS: readonly Column<NewPassword>[] = [
  { key: 'name', head: texts.username, names: true, cell: ({ username }) => username },
  { key: 'password', head: texts.password, cell: ({ password }) => <code translate="no">{password}</code> },
]

/** A strip for each person, for cutting and handing out. */
function PaperList({
  title,
  company,
  passwords,
  printed,
  at,
}: Omit<Required<PasswordListProps>, 'onClose' | 'hint'> & { at: Date }) {
  return (
    <Printed>
      <div className={classes.print}>
        <h1>{title}</h1>
        <p>{printed(uiTexts.clock(momentOf(at)))}</p>
        <ul>
          {passwords.map(password => (
            <li key={password.userId}>
              <span>
                <strong>{password.username}</strong>
                <small>{texts.printHint(company)}</small>
              </span>
              <code>{password.password}</code>
            </li>
          ))}
        </ul>
      </div>
    </Printed>
  )
}
