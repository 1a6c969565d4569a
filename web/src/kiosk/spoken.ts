/** An answer as one line for screen readers: single pieces would come one by one, and some too late. */
import { spokenDuration } from '../ui/durations'
import { reminders } from './reminders'
import { texts, warningsOf } from './texts'
import type { Answer } from './view'

/** It omits the connection state, so that the text is not announced again when delivery finishes. */
export function spoken(answer: Answer): string {
  const { todayMinutes, balanceMinutes } = answer
  const parts = [
    ...head(answer),
    ...(todayMinutes === null ? [] : [`${texts.today} ${spokenDuration(todayMinutes)}`]),
    ...(balanceMinutes === null ? [] : [`${texts.balance} ${signed(balanceMinutes)}`]),
    ...warningsOf(answer),
    ...(answer.requested ? [texts.requested] : reminders(answer)),
  ]
  return parts.map(part => (part.endsWith('.') ? part : `${part}.`)).join(' ')
}

function head({ kind, name, time, since, tag }: Answer): string[] {
  if (kind === 'unknown') {
    return [texts.unknown, ...(tag === null ? [] : [`${texts.unknownTag} ${tag}`]), texts.unknownDo]
  }
  if (kind === 'double_tap') {
    return [texts.spokenHead(name, texts.doubleTap, since ?? time), texts.doubleTapDo]
  }
  if (kind === 'not_saved') return [texts.spokenHead(name, texts.notSaved, time), texts.notSavedDo]
  return [texts.spokenHead(name, kind === 'in' ? texts.in : texts.out, time)]
}

/** Screen readers often skip a typographic sign. */
function signed(minutes: number): string {
  const duration = spokenDuration(Math.abs(minutes))
  if (minutes === 0) return duration
  return `${minutes > 0 ? texts.plus : texts.minus} ${duration}`
}
