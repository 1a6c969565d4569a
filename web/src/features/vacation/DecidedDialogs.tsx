/** Actions on decided items: each with a sentence, which the person receives. */
import { api, dataOf } from '../../api/client'
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import { useAct } from '../../patterns/useAct'
import { filled, useForm } from '../../patterns/useForm'
import { currentDay } from '../../ui/days'
import { Checkbox, Textarea } from '../../ui/fields'
import { Close } from '../../ui/icons'
import { begun, cancelLeave, keepLeave, nameOfLeave, useInvalidateDecisions } from './calls'
import { useOverAllowance } from './overAllowance'
import type { Leave, Report } from './rows'
import { ComesTo, SPAN_RULES, SpanFields } from './SpanFields'
import { texts } from './texts'

export type Opening =
  | { what: 'move' | 'cancel' | 'keep'; leave: Leave }
  | { what: 'reopen' | 'cancelAbsence'; report: Report }

interface Closing {
  onClose: () => void
}

export function Dialogs({ opening, onClose }: { opening: Opening } & Closing) {
  switch (opening.what) {
    case 'move':
      return <Move leave={opening.leave} onClose={onClose} />
    case 'cancel':
      return <Cancel leave={opening.leave} onClose={onClose} />
    case 'keep':
      return <Keep leave={opening.leave} onClose={onClose} />
    default:
      return <OfReport what={opening.what} report={opening.report} onClose={onClose} />
  }
}

const SENTENCE_LIMIT = 500

/** Reports success, and closes. */
function useCloseWithSuccess(sentence: string, onClose: () => void) {
  return () => {
    succeed(sentence)
    onClose()
  }
}

/** An act that refetches afterwards, even if it failed. */
function useInvalidatingAct<Input>(act: (input: Input) => Promise<object>, failed: string) {
  const invalidate = useInvalidateDecisions()
  return useAct((input: Input) => act(input).finally(invalidate), failed)
}

function Move({ leave, onClose }: { leave: Leave } & Closing) {
  const { id, userId, username, kind, startDate, endDate, startHalf, endHalf } = leave
  const over = useOverAllowance()
  const acting = useInvalidatingAct(
    (body: { startDate: string; endDate: string; comment: string; overAllowance: boolean }) =>
      over.watched(async () =>
        dataOf(await api.PUT('/api/vacation-requests/{id}', { params: { path: { id } }, body })),
      ),
    texts.moveFailed,
  )
  const form = useForm({
    initial: { startDate, endDate, startHalf, endHalf, comment: '', overAllowance: false },
    rules: { ...SPAN_RULES, comment: filled(texts.needsSentence) },
    acting,
    input: values => values,
    onDone: useCloseWithSuccess(texts.moved, onClose),
  })
  return (
    <FormDialog title={texts.moveTitle} form={form} submit={texts.move} onClose={onClose}>
      <p>{texts.moveLead(nameOfLeave(leave))}</p>
      <SpanFields form={form} />
      <ComesTo userId={userId} username={username} kind={kind} span={form.values} insteadOf={id} />
      {over.asked && <Checkbox {...form.tick('overAllowance')} label={texts.overAnyway} />}
      <Sentence form={form} />
    </FormDialog>
  )
}

function Cancel({ leave, onClose }: { leave: Leave } & Closing) {
  const today = currentDay()
  const has = begun(leave, today)
  const over = leave.endDate < today
  const form = useForm({
    initial: { comment: '', passedDays: over },
    rules: { comment: filled(texts.needsSentence) },
    acting: useInvalidatingAct(
      ({ comment, passedDays }: { comment: string; passedDays: boolean }) =>
        cancelLeave(leave.id, comment, passedDays),
      texts.cancelFailed,
    ),
    input: values => values,
    onDone: useCloseWithSuccess(texts.cancelled, onClose),
  })
  return (
    <FormDialog
      title={texts.cancelTitle}
      form={form}
      submit={{ label: texts.cancel, danger: <Close size={18} /> }}
      onClose={onClose}
    >
      <p>{texts.cancelLead(nameOfLeave(leave))}</p>
      {has && !over && (
        <>
          <p>{texts.begun}</p>
          <Checkbox {...form.tick('passedDays')} label={texts.passedDays} />
        </>
      )}
      {over && <p>{texts.allPassed}</p>}
      <Sentence form={form} />
    </FormDialog>
  )
}

function Keep({ leave, onClose }: { leave: Leave } & Closing) {
  const form = useForm({
    initial: { comment: '' },
    acting: useInvalidatingAct(
      ({ comment }: { comment: string }) => keepLeave(leave.id, comment),
      texts.failed,
    ),
    input: values => values,
    onDone: useCloseWithSuccess(texts.kept, onClose),
  })
  return (
    <FormDialog title={texts.keepTitle} form={form} submit={texts.keep} onClose={onClose}>
      <p>{texts.keepLead(nameOfLeave(leave))}</p>
      <Sentence form={form} label={texts.sentenceMay} />
    </FormDialog>
  )
}

const REPORT_TEXTS = {
  reopen: [texts.reopenTitle, texts.reopenLead, texts.reopen, texts.reopened],
  cancelAbsence: [texts.cancelAbsenceTitle, texts.cancelAbsenceLead, texts.cancel, texts.absenceCancelled],
} as const

function OfReport({ what, report, onClose }: { what: keyof typeof REPORT_TEXTS; report: Report } & Closing) {
  const [title, lead, submit, said] = REPORT_TEXTS[what]
  const { days, username, first, last } = report
  const form = useForm({
    initial: { comment: '' },
    rules: { comment: filled(texts.needsSentence) },
    acting: useInvalidatingAct(async ({ comment }: { comment: string }) => {
      const path = what === 'reopen' ? '/api/absences/{id}/reopen' : '/api/absences/{id}/cancel'
      const body = { comment, report: true }
      return dataOf(await api.POST(path, { params: { path: { id: days[0].id } }, body }))
    }, texts.failed),
    input: values => values,
    onDone: useCloseWithSuccess(said, onClose),
  })
  const danger = what === 'cancelAbsence' ? { danger: <Close size={18} /> } : {}
  return (
    <FormDialog title={title} form={form} submit={{ label: submit, ...danger }} onClose={onClose}>
      <p>{lead(`${username}, ${texts.span(first, last)}`)}</p>
      <Sentence form={form} />
    </FormDialog>
  )
}

// biome-ignore lint/suspicious/noExplicitAny: a form of more than this value
function Sentence({ form, label = texts.sentence }: { form: any; label?: string }) {
  return (
    <Textarea
      {...form.field('comment')}
      label={label}
      description={texts.told}
      maxLength={SENTENCE_LIMIT}
      rows={2}
    />
  )
}
