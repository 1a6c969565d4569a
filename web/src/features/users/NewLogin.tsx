/** The form for a new login. What it made is shown with its password until it is put away: nobody sees it again. */
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/Button'
import { Copyable } from '../../ui/Copyable'
import { DoneBox } from '../../ui/DoneBox'
import { ChoiceField, PasswordField, TextField } from '../../ui/fields'
import { Dice } from '../../ui/icons'
import { ErrorNotice, type Failure, Notice } from '../../ui/Notice'
import { texts as uiTexts } from '../../ui/texts'
import { generatedPassword } from './generated'
import classes from './NewLogin.module.css'
import type { Role } from './people'
import { texts } from './texts'
import { useNewLogin } from './useNewLogin'

interface NewLoginProps {
  companyId: string | null
  roles: readonly Role[]
}

export function NewLogin({ companyId, roles }: NewLoginProps) {
  const login = useNewLogin(companyId, roles)
  return (
    <>
      <form
        ref={login.form}
        className={classes.form}
        onSubmit={login.submit}
        noValidate
        aria-label={texts.newLogin}
      >
        <h2 className={classes.title}>{texts.newLogin}</h2>
        <TextField {...login.field('username')} maxLength={200} autoComplete="off" />
        <NewPasswordField
          {...login.field('password')}
          // A new field for the next person hides what is typed again.
          key={login.created?.id}
        />
        <TextField
          {...login.field('tagId')}
          onBlur={login.tidyTag}
          spelled
          placeholder={texts.tagHint}
          autoComplete="off"
        />
        <ChoiceField
          label={texts.role}
          value={login.role}
          onChange={value => login.setRole(value as Role)}
          data={roles.map(each => ({ value: each, label: texts.roles[each] }))}
        />
        <WhyNot incomplete={login.incomplete} failure={login.failure} />
        <div className={classes.whole}>
          <Button type="submit" look="primary" busy={login.busy}>
            {texts.create}
          </Button>
        </div>
      </form>
      {login.created !== null && (
        <Created key={login.created.id} {...login.created} onClose={login.putAway} />
      )}
    </>
  )
}

interface NewPasswordFieldProps {
  name: string
  label: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

/** A password to be thought of, or made at a press and then shown. */
function NewPasswordField(field: NewPasswordFieldProps) {
  const [visible, setVisible] = useState(false)
  return (
    <div className={classes.password}>
      <PasswordField
        {...field}
        visible={visible}
        onVisibilityChange={setVisible}
        description={uiTexts.passwordLength}
        // Below, so that the fields beside it stay on one line with it.
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="new-password"
      />
      <Button
        icon={<Dice size={18} />}
        onClick={() => {
          field.onChange(generatedPassword())
          setVisible(true)
        }}
      >
        {texts.generate}
      </Button>
    </div>
  )
}

function WhyNot({ incomplete, failure }: { incomplete: boolean; failure: Failure | null }) {
  if (!incomplete && failure === null) return null
  return (
    <div className={classes.whole}>
      {incomplete && (
        <Notice tone="error" live="assertive">
          <p>{texts.incomplete}</p>
        </Notice>
      )}
      <ErrorNotice failure={failure} />
    </div>
  )
}

interface CreatedProps {
  username: string
  password: string
  onClose: () => void
}

function Created({ username, password, onClose }: CreatedProps) {
  const box = useRef<HTMLElement>(null)
  // The focus is in the form again, for the next login; what was made may stand below the window.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <DoneBox
      ref={box}
      className={classes.done}
      aria-label={texts.created(username)}
      sentence={texts.created(username)}
      onClose={onClose}
    >
      <p>{texts.createdHint}</p>
      <Copyable text={password} label={texts.passwordOf(username)} />
    </DoneBox>
  )
}
