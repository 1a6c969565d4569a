/** The display form of a value: known words, and names of people. Files contain the stored value. */
import { formatter } from '../../ui/days'
import { numericDay } from '../../ui/dayText'
import { texts, wordOf } from './texts'

const DAY = /^\d{4}-\d\d-\d\d$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
/** Minutes since midnight; after midnight, of the next day. */
const TIME = /_minute$/

/** `names`: people's, by id. */
export function displayValue(
  member: string,
  value: unknown,
  names: ReadonlyMap<unknown, string>,
  timeZone: string,
): string {
  if (value === null || value === undefined || value === '') return texts.none
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (typeof value === 'number' && TIME.test(member)) return timeOfDay(value)
  if (typeof value === 'string' && DAY.test(value)) return numericDay(value)
  if (typeof value === 'string' && INSTANT.test(value))
    return formatter({ dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(new Date(value))
  const knownText = wordOf(member, value) ?? names.get(value)
  return knownText ?? (typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** The sort value: days and instants as stored, which sort correctly. */
export const orderOf = (value: unknown, said: string): string | number =>
  typeof value === 'number' || (typeof value === 'string' && (DAY.test(value) || INSTANT.test(value)))
    ? value
    : said

const timeOfDay = (minute: number) =>
  [Math.floor(minute / 60) % 24, minute % 60].map(part => String(part).padStart(2, '0')).join(':')
