/** The operator log, page by page, newest first. */
import type { components } from '../../api/schema'
import { usePages } from '../../patterns/usePages'
import type { Words } from './words'

export type OperatorRow = components['schemas']['OperatorLogRow']

export interface OperatorFilter {
  text: string
  from: string
  to: string
}

export const NO_FILTER: OperatorFilter = { text: '', from: '', to: '' }

export const isReversed = ({ from, to }: OperatorFilter) => from !== '' && to !== '' && from > to

export const isEmpty = ({ text, from, to }: OperatorFilter) => text.trim() === '' && from === '' && to === ''

/** A shorter text would match half of all actions. */
const LEAST_LETTERS = 3

export function useOperatorLog(filter: OperatorFilter, words: Words) {
  const text = filter.text.trim()
  const actions = text.length < LEAST_LETTERS ? [] : words.actionsCalled(text)
  const query = {
    ...(text !== '' && { q: text }),
    ...(actions.length > 0 && { action: actions }),
    ...(filter.from !== '' && { from: filter.from }),
    ...(filter.to !== '' && { to: filter.to }),
  }
  return usePages('/api/operator-log', isReversed(filter) ? null : { query })
}
