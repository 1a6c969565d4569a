/** Changing the own password. */
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/Button'
import { PasswordField } from '../../ui/fields'
import { ErrorNotice, Notice } from '../../ui/Notice'
import { Card } from './Card'
import classes from './Card.module.css'
import { texts } from './texts'
import { useChangePassword } from './useAccount'

const EMPTY = { current: '', next: '', again: '' }

export function PasswordCard({ userId, username }: { userId: string; username: string }) {
  const [fields, setFields] = useState(EMPTY)
  const [complaint, setComplaint] = useState<string | null>(null)
  const [done, setDone] = useState(false)
  const changing = useChangePassword(userId)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (changing.busy) return
    const { current, next, again } = fields
    const wrong = [current, next, again].includes('')
      ? texts.allFields
      : next !== again
        ? texts.noMatch
        : null
    setDone(false)
    setComplaint(wrong)
    changing.reset()
    if (wrong !== null) return
    if ((await changing.run({ currentPassword: current, newPassword: next })) === null) return
    setFields(EMPTY)
    setDone(true)
  }
  const field = (name: keyof typeof EMPTY) => ({
    value: fields[name],
    onChange: (value: string) => setFields(known => ({ ...known, [name]: value })),
  })
  return (
    <Card title={texts.password} lead={texts.passwordLead}>
      <form className={classes.form} onSubmit={submit} noValidate>
        {/* For the browser's store of passwords, which wants to know whose it is. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <PasswordField label={texts.currentPassword} autoComplete="current-password" {...field('current')} />
        <PasswordField
          label={texts.newPassword}
          description={texts.newPasswordHint}
          autoComplete="new-password"
          {...field('next')}
        />
        <PasswordField label={texts.repeatPassword} autoComplete="new-password" {...field('again')} />
        <ErrorNotice
          failure={complaint === null ? changing.failure : { title: complaint, detail: complaint }}
        />
        {done && <Notice live="polite">{texts.passwordChanged}</Notice>}
        <div className={classes.buttons}>
          <Button type="submit" busy={changing.busy}>
            {texts.changePassword}
          </Button>
        </div>
      </form>
    </Card>
  )
}
