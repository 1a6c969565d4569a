import { expect, it } from 'vitest'
import { byAlphabet } from './alphabet'

const IN_ORDER = [
  ...[
    'Abel',
    'Äbel',
    'Åberg',
    'Achim',
    'Ängst',
    'anna',
    'Anna 10',
    'Anna 2',
    'Čapek',
    'Cem',
    'Đorđe',
    'Emil',
  ],
  ...['Émile', 'Emily', 'Łukasz', 'Maß', 'Masse', 'Matz', 'Muller', 'Müller', 'Müllers', 'Ørsted', 'Öznur'],
  ...['Pavel', 'Straße', 'Strasser', 'Übel', 'Ulf', 'Zoe', 'Zoë'],
]

it('sorts umlauts with their vowels, and behind them where all else is equal, as the service does', () => {
  expect([...IN_ORDER].reverse().sort(byAlphabet)).toEqual(IN_ORDER)
})

it('finds no difference in case, and in spellings of one letter', () => {
  expect(byAlphabet('Ärmel', 'A\u0308RMEL')).toBe(0)
})
