/** A list of people with a filter by name, limited to a readable length. */
import { type ReactNode, useState } from 'react'
import { SearchInput } from '../../ui/fields'
import { texts } from './texts'

export interface Person {
  id: string
  username: string
  department?: string | null | undefined
}

const SHOWN_AT_ONCE = 30
const SEARCHED_FROM = 12

interface PeopleProps<Row extends Person> {
  people: readonly Row[]
  /** People who are always shown. */
  kept?: readonly string[]
  children: (shown: readonly Row[]) => ReactNode
}

export function People<Row extends Person>({ people, kept = [], children }: PeopleProps<Row>) {
  const [words, setWords] = useState('')
  const needle = words.trim().toLocaleLowerCase('de')
  const foundPeople = people.filter(
    ({ id, username }) => kept.includes(id) || username.toLocaleLowerCase('de').includes(needle),
  )
  const shownPeople = foundPeople.slice(0, SHOWN_AT_ONCE)
  return (
    <>
      {people.length > SEARCHED_FROM && (
        <SearchInput label={texts.search} value={words} onChange={setWords} />
      )}
      {children(shownPeople)}
      {foundPeople.length > shownPeople.length && (
        <p className="muted">{texts.more(foundPeople.length - shownPeople.length)}</p>
      )}
    </>
  )
}
