/**
 * Form fields: Mantine's, styled by the theme, with their style sheets. All other modules take Mantine's fields from
 * here.
 *
 * An error appears below the field with an icon, and assistive technology announces it. The fields validate nothing.
 */
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import {
  type CheckboxProps,
  Checkbox as MantineCheckbox,
  PasswordInput as MantinePasswordInput,
  Textarea as MantineTextarea,
  type PasswordInputProps,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import type { Ref } from 'react'
import classes from './fields.module.css'
import { Search } from './icons'

export { TextInput } from '@mantine/core'

const SPELLED = { input: classes.spelled ?? '' }
const LINES = { input: classes.lines ?? '' }
const CODE = { input: classes.code ?? '' }

/** A password field that can reveal its text. Mantine's own does not report its error to assistive technology. */
export function PasswordInput(props: PasswordInputProps) {
  return <MantinePasswordInput aria-invalid={props.error ? true : undefined} {...props} />
}

/** Several lines: `rows` of them are seen, and more of them by its corner. */
export function Textarea({ rows = 3, ...rest }: TextareaProps) {
  return <MantineTextarea rows={rows} resize="vertical" {...rest} classNames={LINES} />
}

/** A checkbox. Mantine's own, too, shows its error only visually. */
export function Checkbox(props: CheckboxProps & { ref?: Ref<HTMLInputElement> }) {
  return <MantineCheckbox aria-invalid={props.error ? true : undefined} {...props} />
}

/** A line whose letters are read one by one. */
export function SpelledInput(props: TextInputProps) {
  return <TextInput {...props} classNames={SPELLED} />
}

/** A mail address field without `type="email"`: Chromium would turn straße.de into strasse.de. */
export function EmailInput(props: TextInputProps) {
  return <TextInput inputMode="email" autoComplete="email" {...props} />
}

const DIGITS = 6

/** The digits of what was typed or pasted: "123 456" is 123456. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '').slice(0, DIGITS)
}

type Changed<Props> = Omit<Props, 'onChange'> & { onChange: (value: string) => void }

/** A code of six digits. */
export function CodeInput({ onChange, ...rest }: Changed<TextInputProps>) {
  return (
    <TextInput
      onChange={event => onChange(digitsOf(event.currentTarget.value))}
      inputMode="numeric"
      autoComplete="one-time-code"
      {...rest}
      classNames={CODE}
    />
  )
}

/** Filters a list while the user types. */
export function SearchInput({ onChange, ...rest }: Changed<TextInputProps>) {
  return (
    <TextInput
      type="search"
      onChange={event => onChange(event.currentTarget.value)}
      leftSection={<Search size={18} />}
      autoComplete="off"
      {...rest}
    />
  )
}
