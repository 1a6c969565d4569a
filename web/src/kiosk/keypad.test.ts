import { describe, expect, it } from 'vitest'
import { boxes, erase, press, timeFrom } from './keypad'

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

  it('has a box for each digit, empty until it is typed', () => {
    const emptyBoxes = ['', '']
    expect(boxes('')).toEqual([emptyBoxes, emptyBoxes])
    expect(boxes(typed('17'))).toEqual([['1', '7'], emptyBoxes])
    expect(boxes(typed('9'))).toEqual([['0', '9'], emptyBoxes])
    expect(boxes(typed('1730'))[1]).toEqual(['3', '0'])
  })

  it('takes back the last digit, and the zero that it put itself', () => {
    expect(erase('1730')).toBe('173')
    expect(erase(typed('9'))).toBe('')
    expect(erase('01')).toBe('0')
    expect(erase('')).toBe('')
  })
})
