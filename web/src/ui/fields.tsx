/**
 * Fields to fill, in the house's dress: a line of text, a password that can be shown, a code of six digits, a choice.
 *
 * What is wrong stands below the field with an icon, and assistive technology is told. They check nothing themselves.
 */
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import {
  NativeSelect,
  type NativeSelectProps,
  PasswordInput,
  type PasswordInputProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './fields.module.css'
import { Alert } from './icons'
import { texts } from './texts'

type Own = 'classNames' | 'onChange' | 'value' | 'error'

interface Typed {
  value: string
  onChange: (value: string) => void
  /** What is wrong with what stands in it. */
  error?: ReactNode
}

const PARTS = {
  input: classes.input ?? '',
  label: classes.label ?? '',
  description: classes.description ?? '',
  error: classes.error ?? '',
}

/** For a line whose letters are read one by one. */
const SPELLED_PARTS = { ...PARTS, input: `${classes.input} ${classes.spelled}` }

/** For Mantine's Select. */
export const CHOICE_PARTS = {
  ...PARTS,
  dropdown: classes.dropdown ?? '',
  option: classes.option ?? '',
  empty: classes.nothing ?? '',
}

const PASSWORD_PARTS = { ...PARTS, innerInput: classes.innerInput ?? '' }

function common({ value, onChange, error }: Typed) {
  const wrong = Boolean(error)
  return {
    value,
    onChange: (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value),
    error: wrong && (
      <>
        <Alert size={16} />
        {error}
      </>
    ),
    'aria-invalid': wrong,
    withAsterisk: false,
    autoCapitalize: 'none',
    spellCheck: false,
  }
}

type TextFieldProps = Omit<TextInputProps, Own> & Typed & { spelled?: boolean }

export function TextField({ value, onChange, error, spelled = false, ...rest }: TextFieldProps) {
  const parts = spelled ? SPELLED_PARTS : PARTS
  return <TextInput {...common({ value, onChange, error })} {...rest} classNames={parts} />
}

export function PasswordField({ value, onChange, error, ...rest }: Omit<PasswordInputProps, Own> & Typed) {
  return (
    <PasswordInput
      {...common({ value, onChange, error })}
      visibilityToggleButtonProps={{ 'aria-label': texts.showPassword, tabIndex: 0 }}
      {...rest}
      classNames={PASSWORD_PARTS}
    />
  )
}

const DIGITS = 6

/** The digits of what was typed or pasted: "123 456" is 123456. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '').slice(0, DIGITS)
}

export function CodeField({ value, onChange, error, ...rest }: Omit<TextInputProps, Own> & Typed) {
  return (
    <TextInput
      {...common({ value, onChange: text => onChange(digitsOf(text)), error })}
      inputMode="numeric"
      autoComplete="one-time-code"
      {...rest}
      classNames={{ ...PARTS, input: `${classes.input} ${classes.code}` }}
    />
  )
}

interface Chosen {
  value: string
  onChange: (value: string) => void
}

/** One of a few. */
export function ChoiceField({ value, onChange, ...rest }: Omit<NativeSelectProps, Own> & Chosen) {
  return (
    <NativeSelect
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
      {...rest}
      classNames={PARTS}
    />
  )
}

interface Ticked {
  label: string
  hint?: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** Yes or no. */
export function CheckField({ label, hint, checked, onChange }: Ticked) {
  const id = useId()
  return (
    <div className={classes.check}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={event => onChange(event.currentTarget.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && <p id={`${id}-hint`}>{hint}</p>}
    </div>
  )
}
