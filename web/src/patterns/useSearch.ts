/** Filters a list by words: each has to occur in a row's text. */
import { useState } from 'react'

export interface Search<Row> {
  words: string
  onWords: (words: string) => void
  found: readonly Row[]
  /** Whether a search is active. */
  active: boolean
  clear: () => void
}

export function useSearch<Row>(
  rows: readonly Row[],
  matches: (row: Row, words: string) => boolean,
): Search<Row> {
  const [words, setWords] = useState('')
  const active = words.trim() !== ''
  return {
    words,
    onWords: setWords,
    found: active ? rows.filter(row => matches(row, words)) : rows,
    active,
    clear: () => setWords(''),
  }
}
