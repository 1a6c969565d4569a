/**
 * The fields that forms are made of: Mantine's, dressed by the theme, with the sheets that they need. Nobody takes one
 * from Mantine past this door.
 *
 * What is wrong stands below the field with an icon, and assistive technology is told. They check nothing themselves.
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

/** A password, which can be looked at. Mantine's own does not tell assistive technology that it is wrong. */
export function PasswordInput(props: PasswordInputProps) {
  return <MantinePasswordInput aria-invalid={props.error ? true : undefined} {...props} />
}

/** Several lines: `rows` of them are seen, and more of them by its corner. */
export function Textarea({ rows = 3, ...rest }: TextareaProps) {
  return <MantineTextarea rows={rows} resize="vertical" {...rest} classNames={LINES} />
}

/** A tick. Here, too, Mantine's own tells only the eye that it is wrong. */
export function Checkbox(props: CheckboxProps & { ref?: Ref<HTMLInputElement> }) {
  return <MantineCheckbox aria-invalid={props.error ? true : undefined} {...props} />
}

/** A line whose letters are read one by one. */
export function SpelledInput(props: TextInputProps) {
  return <TextInput {...props} classNames={SPELLED} />
}

/** A mail address, of which `type="email"` would make another: Chromium turns straße.de into strasse.de by itself. */
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

/** Narrows a list down while somebody types. */
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
