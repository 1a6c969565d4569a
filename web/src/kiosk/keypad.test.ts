import { describe, expect, it } from 'vitest'
import { display, erase, press, timeFrom } from './keypad'

const typed = (keys: string) => [...keys].reduce(press, '')

describe('the keypad', () => {
  it.each([
    ['1730', '17:30'],
    ['730', '07:30'],
    ['0730', '07:30'],
    ['2359', '23:59'],
    ['0000', '00:00'],
    ['930', '09:30'],
  ])('%s means %s', (keys, time) => expect(timeFrom(typed(keys))).toBe(time))

  it.each(['2400', '1260', '2999', '17', '173', ''])('%s means nothing', keys => {
    expect(timeFrom(typed(keys))).toBeNull()
  })

  it('takes no fifth digit', () => expect(typed('17305')).toBe('1730'))

  it('shows what is still missing', () => {
    expect(display('')).toBe('··:··')
    expect(display(typed('17'))).toBe('17:··')
    expect(display(typed('9'))).toBe('09:··')
  })

  it('takes back the last digit, and the zero that it put itself', () => {
    expect(erase('1730')).toBe('173')
    expect(erase(typed('9'))).toBe('')
    expect(erase('01')).toBe('0')
    expect(erase('')).toBe('')
  })
})
