import { expect, it } from 'vitest'
import { texts } from './clockTexts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

it.each([
  [2 * MINUTE, '2 Minuten vor'],
  [-5.4 * MINUTE, '5 Minuten nach'],
  [89.7 * MINUTE, '90 Minuten vor'],
  [91 * MINUTE, 'etwa 2 Stunden vor'],
  [3 * HOUR + 800, '3 Stunden vor'],
  [-DAY, '24 Stunden nach'],
  [2 * DAY, '2 Tage vor'],
  [2.4 * DAY, 'etwa 2 Tage vor'],
  [61 * DAY, 'etwa 2 Monate vor'],
  [-20_000 * DAY, 'etwa 55 Jahre nach'],
])('a clock that differs by %i ms is said to go %s', (ahead, said) => {
  expect(texts.title(ahead)).toBe(`Die Uhr dieses Geräts geht ${said}.`)
})
