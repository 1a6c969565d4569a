/**
 * Asks before something that cannot be undone. The gravest actions require a typed word or a ticked box first.
 *
 * - acting, input, done: an act (`useAct`) with its input; it runs at the press, its error appears here, and the dialog
 *   closes after success
 * - answer: (output) for acts that return something: the answer takes the question's place, in a dialog that `stays` if
 *   it must not be closed by accident
 * - onConfirm: instead of an act; the caller closes the dialog
 * - consequences: what happens, point by point, or as `children` in any other form
 * - confirm, cancel: the verb on the button; the label of the way back, if it differs
 * - danger: the button's icon where something gets lost; it turns the button into one of danger
 * - typed, ticked: what has to be typed or ticked first, and the sentence for anything else
 */
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './Button'
import { Dialog, DialogButtons } from './Dialog'
import { Checkbox, TextInput } from './fields'
import { ErrorNotice, type Failure } from './Notice'
import { texts } from './texts'

interface Doing<Input, Output> {
  run: (input: Input) => Promise<Output | null>
  busy: boolean
  failure: Failure | null
  reset: () => void
}

interface Answer {
  title: string
  stays?: boolean
  size?: number
  content: ReactNode
}

interface Question {
  consequences?: readonly string[]
  children?: ReactNode
  confirm: string
  cancel?: string
  danger?: ReactNode
  typed?: { word: string; label: string; wrong: string }
  ticked?: { label: string; wrong: string }
}

type ConfirmAction<Input, Output> =
  | {
      acting: Doing<Input, Output>
      input?: Input
      done?: (output: Output) => void
      answer?: (output: Output) => Answer
    }
  | { onConfirm: () => void; busy?: boolean; failure?: Failure | null }

type ConfirmDialogProps<Input, Output> = Question &
  ConfirmAction<Input, Output> & { title: string; onClose: () => void }

export function ConfirmDialog<Input = undefined, Output = unknown>(props: ConfirmDialogProps<Input, Output>) {
  const { title, onClose } = props
  const acting = 'acting' in props ? props.acting : undefined
  const answered = 'acting' in props ? props.answer : undefined
  const [output, setOutput] = useState<Output | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what failed before is no business of a question that is new
  useEffect(() => acting?.reset(), [])
  const confirm = async () => {
    if (!('acting' in props)) return props.onConfirm()
    const came = await props.acting.run(props.input as Input)
    if (came === null) return
    props.done?.(came)
    if (props.answer === undefined) onClose()
    else setOutput(came)
  }
  const { busy = false, failure = null } = acting ?? (props as { busy?: boolean; failure?: Failure | null })
  const answer = output === null ? undefined : answered?.(output)
  return (
    <Dialog
      title={answer?.title ?? title}
      size={answer?.size}
      // The dialog stays open until the answer is there.
      stays={answer === undefined ? answered !== undefined && busy : answer.stays}
      busy={busy}
      onClose={onClose}
    >
      {answer === undefined ? (
        <Confirmation {...props} busy={busy} failure={failure} onConfirm={confirm} />
      ) : (
        answer.content
      )}
    </Dialog>
  )
}

interface ConfirmationProps extends Question {
  busy: boolean
  failure: Failure | null
  onConfirm: () => void
  onClose: () => void
}

function Confirmation({
  consequences = [],
  children,
  confirm,
  cancel = texts.cancel,
  danger,
  typed,
  ticked,
  busy,
  failure,
  onConfirm,
  onClose,
}: ConfirmationProps) {
  const [word, setWord] = useState('')
  const [tick, setTick] = useState(false)
  const [wrong, setWrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const refused = (typed !== undefined && word.trim() !== typed.word) || (ticked !== undefined && !tick)
    setWrong(refused)
    if (refused) field.current?.focus()
    else onConfirm()
  }
  return (
    <form onSubmit={submit} style={{ display: 'contents' }} noValidate>
      {children}
      {consequences.length > 0 && (
        <ul>
          {consequences.map(sentence => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {typed !== undefined && (
        <TextInput
          ref={field}
          label={typed.label}
          value={word}
          onChange={event => {
            setWord(event.currentTarget.value)
            setWrong(false)
          }}
          error={wrong && typed.wrong}
          autoComplete="off"
          data-autofocus
        />
      )}
      {ticked !== undefined && (
        <Checkbox
          ref={field}
          label={ticked.label}
          checked={tick}
          onChange={event => {
            setTick(event.currentTarget.checked)
            setWrong(false)
          }}
          error={wrong && ticked.wrong}
        />
      )}
      <ErrorNotice failure={failure} />
      <DialogButtons>
        <Button onClick={onClose} disabled={busy} data-autofocus={typed === undefined ? true : undefined}>
          {cancel}
        </Button>
        {danger === undefined ? (
          <Button type="submit" look="primary" busy={busy}>
            {confirm}
          </Button>
        ) : (
          <Button type="submit" look="danger" icon={danger} busy={busy}>
            {confirm}
          </Button>
        )}
      </DialogButtons>
    </form>
  )
}
