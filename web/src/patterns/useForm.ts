/**
 * A form: its values, their errors, and submitting it. One rule for all forms: a form can always be submitted; it is
 * then validated, errors appear at their fields, and the focus goes to the first of them, whether the form or the
 * service found it.
 *
 * Unsaved input holds the page (`ui/leaving.ts`). Mantine keeps the values (`@mantine/form`).
 */
import { useForm as useValues } from '@mantine/form'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { type Hold, useHolder } from '../ui/leaving'
import type { Failure } from '../ui/Notice'
import type { Acting } from './useAct'

type Values = Record<string, unknown>

/** A value's error, or nothing. */
type Rule<Value, All> = (value: Value, all: All) => string | false | null | undefined

export type Rules<All extends Values> = { [Name in keyof All]?: Rule<All[Name], All> }

interface FormOptions<All extends Values, Input, Output> {
  initial: All
  rules?: Rules<All>
  /** The sentence for an incomplete form: shown at the first invalid field, instead of the rule's own sentence. */
  incomplete?: string | ((values: All) => string | false)
  acting: Acting<Input, Output>
  /** The request's body; null: nothing to send, which counts as success. */
  input: (values: All) => Input | null
  onDone: (output: Output | null, values: All) => void
  /** Whether leaving asks about unsaved input. */
  guarded?: boolean
}

export interface Form<All extends Values> {
  values: All
  /** The props of a form's field. */
  field: <Name extends keyof All & string>(name: Name) => FieldProps & { value: All[Name] }
  /** The props of a checkbox. */
  tick: <Name extends keyof All & string>(name: Name) => FieldProps & { checked: boolean }
  set: <Name extends keyof All & string>(name: Name, value: All[Name]) => void
  /** Whether there is unsaved input: the values differ from the initial ones, and the form is guarded. */
  dirty: boolean
  /** Whether the user has typed, even if all of that was removed again. */
  touched: boolean
  busy: boolean
  failure: Failure | null
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** Clears the form, or restarts it with other values. */
  restart: (values?: All) => void
  /** A ref to the form's element, for focusing. */
  element: (form: HTMLFormElement | null) => void
}

interface FieldProps {
  name: string
  // biome-ignore lint/suspicious/noExplicitAny: a field hands over its value or its event, and Mantine takes both
  onChange: (change: any) => void
  error: string | undefined
}

export function useForm<All extends Values, Input, Output>(
  options: FormOptions<All, Input, Output>,
): Form<All> {
  const { initial, rules = {}, incomplete, acting, input, onDone, guarded = true } = options
  const values = useValues<All>({ initialValues: initial, validate: all => complaintsOf(rules, all) })
  const [element, focusFirst] = useFirstWrong()
  const dirty = values.isDirty()
  const release = useGuard(guarded && dirty)
  const { fields } = acting
  const { setErrors } = values

  useEffect(() => {
    if (Object.keys(fields).length === 0) return
    setErrors(fields)
    focusFirst()
  }, [fields, setErrors, focusFirst])

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React events of a form in a dialog bubble to the form around the dialog.
    event.stopPropagation()
    if (acting.busy) return
    // A field's own error, such as an impossible date.
    const impossible = event.currentTarget.querySelector<HTMLElement>('[data-impossible]')
    if (impossible !== null) return impossible.focus()
    acting.reset()
    const complaints = complaintsOf(rules, values.values)
    const [first] = Object.keys(complaints)
    const sentence = first !== undefined && incompleteText(incomplete, values.values)
    setErrors(sentence ? { ...complaints, [first]: sentence } : complaints)
    if (first !== undefined) return focusFirst()
    const sent = values.values
    const body = input(sent)
    const output = body === null ? null : await acting.run(body)
    if (body !== null && output === null) return
    release()
    onDone(output, sent)
  }

  return {
    values: values.values,
    field: name => ({ name, ...values.getInputProps(name as never, { withFocus: false }) }) as never,
    tick: name =>
      ({ name, ...values.getInputProps(name as never, { withFocus: false, type: 'checkbox' }) }) as never,
    set: (name, value) => values.setFieldValue(name as never, value as never),
    dirty: guarded && dirty,
    touched: values.isTouched(),
    busy: acting.busy,
    failure: boxed(acting, values.values),
    onSubmit,
    restart: next => {
      acting.reset()
      values.setInitialValues(next ?? initial)
      values.setValues(next ?? initial)
      values.resetTouched()
      values.clearErrors()
    },
    element,
  }
}

function complaintsOf<All extends Values>(rules: Rules<All>, all: All): Record<string, string> {
  return Object.fromEntries(
    Object.entries(rules).flatMap(([name, rule]) => {
      const complaint = (rule as Rule<unknown, All>)(all[name], all)
      return complaint ? [[name, complaint]] : []
    }),
  )
}

function incompleteText<All>(
  incomplete: FormOptions<never, never, never>['incomplete'],
  all: All,
): string | null {
  const sentence =
    typeof incomplete === 'function' ? (incomplete as (all: All) => string | false)(all) : incomplete
  return sentence || null
}

/**
 * The error above the button. Errors of fields appear at the fields and are not repeated; errors of unknown fields
 * appear here.
 */
function boxed({ failure, fields }: Acting<never, unknown>, all: Values): Failure | null {
  if (failure === null || Object.keys(fields).length === 0) return failure
  const beyond = Object.entries(fields).flatMap(([name, sentence]) => (name in all ? [] : sentence))
  // The field shows the same text.
  if (beyond.length === 0 && Object.values(fields).includes(failure.title)) return null
  return { title: failure.title, detail: [...new Set(beyond)].join(' ') || failure.title }
}

const WRONG = ':is(input, select, textarea, button)[aria-invalid="true"]'

/** The form's ref, and focusing the first field marked as invalid, once the marks are rendered. */
function useFirstWrong(): [(form: HTMLFormElement | null) => void, () => void] {
  const form = useRef<HTMLFormElement | null>(null)
  const [asked, ask] = useState(0)
  useEffect(() => {
    if (asked > 0) form.current?.querySelector<HTMLElement>(WRONG)?.focus()
  }, [asked])
  const element = useCallback((found: HTMLFormElement | null) => {
    form.current = found
  }, [])
  return [element, useCallback(() => ask(count => count + 1), [])]
}

/** Holds the page while `needed`; the returned function releases it at once, before the next render. */
function useGuard(needed: boolean): () => void {
  const hold = useRef<Hold | null>(null)
  hold.current = needed ? 'ask' : null
  useHolder(useCallback(() => hold.current, []))
  return () => {
    hold.current = null
  }
}

/** The rule for a required field. Blanks are no name, but may be a password. */
export const filled = (sentence: string) => (value: unknown) => String(value ?? '').trim() === '' && sentence
export const typed = (sentence: string) => (value: unknown) => String(value ?? '') === '' && sentence
