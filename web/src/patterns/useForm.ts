/**
 * A form: what stands in its fields, what is wrong with that, and sending it. One rule for all of them: a form can always
 * be sent; then it is looked at, what is wrong stands at its fields, and the focus goes to the first of them — whether
 * the form itself found it or the service said so.
 *
 * What was typed and not saved holds the page (`ui/leaving.ts`). The values are Mantine's business (`@mantine/form`).
 */
import { useForm as useValues } from '@mantine/form'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { type Hold, useHolder } from '../ui/leaving'
import type { Failure } from '../ui/Notice'
import type { Acting } from './useAct'

type Values = Record<string, unknown>

/** What is wrong with a value, or nothing. */
type Rule<Value, All> = (value: Value, all: All) => string | false | null | undefined

export type Rules<All extends Values> = { [Name in keyof All]?: Rule<All[Name], All> }

interface FormOptions<All extends Values, Input, Output> {
  initial: All
  rules?: Rules<All>
  /** What a form says that is not whole: at the first field that the rules find, in place of its own sentence. */
  incomplete?: string | ((values: All) => string | false)
  acting: Acting<Input, Output>
  /** What goes to the service; null: there is nothing to be sent, and that is well. */
  input: (values: All) => Input | null
  onDone: (output: Output | null, values: All) => void
  /** Whether what was typed is asked for before the page is left. */
  guarded?: boolean
}

export interface Form<All extends Values> {
  values: All
  /** What a field of the form takes. */
  field: <Name extends keyof All & string>(name: Name) => FieldProps & { value: All[Name] }
  /** What a tick takes. */
  tick: <Name extends keyof All & string>(name: Name) => FieldProps & { checked: boolean }
  set: <Name extends keyof All & string>(name: Name, value: All[Name]) => void
  /** Whether something was typed that is not to be lost: what it began with has changed, and the form is guarded. */
  dirty: boolean
  /** Whether somebody has typed in it, also if all of that is gone again. */
  touched: boolean
  busy: boolean
  failure: Failure | null
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** Empties it for the next time, or begins anew with other values. */
  restart: (values?: All) => void
  /** The form's element, for the focus. */
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
    // A form in a dialog is, for React, also inside the form around the dialog.
    event.stopPropagation()
    if (acting.busy) return
    // What a field itself says of what stands in it, such as a day that there is not.
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
 * What stands above the button. What the service says of a field stands there and is not said twice; what it says of
 * something for which the form has no field is said here.
 */
function boxed({ failure, fields }: Acting<never, unknown>, all: Values): Failure | null {
  if (failure === null || Object.keys(fields).length === 0) return failure
  const beyond = Object.entries(fields).flatMap(([name, sentence]) => (name in all ? [] : sentence))
  // In these very words it stands at the field.
  if (beyond.length === 0 && Object.values(fields).includes(failure.title)) return null
  return { title: failure.title, detail: [...new Set(beyond)].join(' ') || failure.title }
}

const WRONG = ':is(input, select, textarea, button)[aria-invalid="true"]'

/** The form's element, and how the focus gets to the first field that is marked as wrong, once the marks are there. */
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

/** Holds the page while `needed`; the answer settles it at once, before anything is rendered anew. */
function useGuard(needed: boolean): () => void {
  const hold = useRef<Hold | null>(null)
  hold.current = needed ? 'ask' : null
  useHolder(useCallback(() => hold.current, []))
  return () => {
    hold.current = null
  }
}

/** For a field that has to be filled. Blanks are no name, but may be somebody's password. */
export const filled = (sentence: string) => (value: unknown) => String(value ?? '').trim() === '' && sentence
export const typed = (sentence: string) => (value: unknown) => String(value ?? '') === '' && sentence
