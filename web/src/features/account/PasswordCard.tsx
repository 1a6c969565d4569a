/** Changes the user's password. */
import { Form } from '../../patterns/Form'
import { succeed } from '../../patterns/succeed'
import { typed, useForm } from '../../patterns/useForm'
import { PasswordInput } from '../../ui/fields'
import { Card } from '../../ui/layout'
import classes from './account.module.css'
import { texts } from './texts'
import { useChangePassword } from './useAccount'

const EMPTY = { currentPassword: '', newPassword: '', again: '' }

const RULES = {
  currentPassword: typed(texts.fillIn),
  newPassword: typed(texts.fillIn),
  again: (again: string, { newPassword }: typeof EMPTY) =>
    typed(texts.fillIn)(again) || (again !== newPassword && texts.noMatch),
}

export function PasswordCard({ userId, username }: { userId: string; username: string }) {
  const form = useForm({
    initial: EMPTY,
    rules: RULES,
    incomplete: fields => Object.values(fields).includes('') && texts.allFields,
    acting: useChangePassword(userId),
    input: ({ currentPassword, newPassword }) => ({ currentPassword, newPassword }),
    onDone: () => {
      form.restart()
      succeed(texts.passwordChanged)
    },
  })
  return (
    <Card title={texts.password} lead={texts.passwordLead} narrow>
      <div className={classes.form}>
        <Form form={form} buttons={texts.changePassword}>
          {/* For the browser's password manager, which needs the username. */}
          <input type="text" autoComplete="username" value={username} readOnly hidden />
          <PasswordInput
            {...form.field('currentPassword')}
            label={texts.currentPassword}
            autoComplete="current-password"
          />
          <PasswordInput
            {...form.field('newPassword')}
            label={texts.newPassword}
            description={texts.newPasswordHint}
            autoComplete="new-password"
          />
          <PasswordInput {...form.field('again')} label={texts.repeatPassword} autoComplete="new-password" />
        </Form>
      </div>
    </Card>
  )
}
