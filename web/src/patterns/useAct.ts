/** A mutation: one at a time, with its error as a sentence. It queues nothing. */
import { useMutation } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { Refused, sentenceOf, Unanswered } from '../api/failures'
import { takeBack } from './succeed'

export interface Acting<Input, Output> {
  /** The outcome, or null if it failed or another one is in flight. */
  run: (input: Input) => Promise<Output | null>
  busy: boolean
  failure: { title: string; detail: string } | null
  /** The service's errors by field; a new object with each answer. */
  fields: Readonly<Record<string, string>>
  /** Clears the failure. */
  reset: () => void
}

const NO_FIELDS: Readonly<Record<string, string>> = {}

export function useAct<Input, Output extends object | boolean | string>(
  act: (input: Input) => Promise<Output>,
  failed: string,
): Acting<Input, Output> {
  // The output may be a password: it is dropped once its component unmounts.
  const mutation = useMutation({ mutationFn: act, gcTime: 0 })
  const underWay = useRef(false)
  const run = async (input: Input) => {
    if (underWay.current) return null
    underWay.current = true
    try {
      return await mutation.mutateAsync(input)
    } catch {
      takeBack()
      return null
    } finally {
      underWay.current = false
    }
  }
  const { error } = mutation
  // An act that may have happened is not reported as failed.
  const title = error instanceof Unanswered ? error.message : failed
  const failure = useMemo(
    () => (error === null ? null : { title, detail: sentenceOf(error, failed) }),
    [error, title, failed],
  )
  const fields = error instanceof Refused ? error.fields : NO_FIELDS
  return { run, busy: mutation.isPending, failure, fields, reset: mutation.reset }
}
