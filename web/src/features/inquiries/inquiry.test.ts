import { describe, expect, it, test } from 'vitest'
import { type Inquiry, mailtoOf, monthlyOf, saidIn, senderOf, summaryOf, totalOf } from './inquiry'
import { INQUIRIES } from './samples'

const [offer, letter, bare] = INQUIRIES as [Inquiry, Inquiry, Inquiry]
const inquiryOf = (kind: Inquiry['kind'], fields: Inquiry['fields']): Inquiry => ({ ...offer, kind, fields })

describe('an address', () => {
  it.each([
    ['a?bcc=x@evil.example', 'mailto:a%3Fbcc%3Dx@evil.example'],
    ['a&body=b@evil.example', 'mailto:a%26body%3Db@evil.example'],
    [' ina@ilm.example ', 'mailto:ina@ilm.example'],
  ])('%s is nothing but one: %s', (email, href) =>
    expect(mailtoOf(inquiryOf('contact', { email }))?.href).toBe(href),
  )

  it('that nobody gave is none', () => {
    expect(mailtoOf(bare)).toBeNull()
    expect(mailtoOf(inquiryOf('offer', { email: ' ' }))).toBeNull()
  })
})

test('an offer is summed up and priced', () => {
  expect(summaryOf(offer)).toBe('12\u00a0×\u00a0QuickFix, Branding, Premium-Support')
  expect(totalOf(offer)).toBe('10.266\u00a0€')
  expect(monthlyOf(offer)).toBe('15\u00a0€')
  expect(summaryOf(bare)).toBe('1\u00a0×\u00a0Wandmontage')
  expect(totalOf(bare)).toBe('799\u00a0€')
  expect(monthlyOf(bare)).toBeNull()
})

test('a letter has no price, whichever name its message came by', () => {
  expect(totalOf(letter)).toBeNull()
  expect(monthlyOf(letter)).toBeNull()
  expect(summaryOf(inquiryOf('contact', { message: 'Hallo' }))).toBe('Hallo')
})

test('who has sent it is named as far as they say', () => {
  expect(senderOf(offer)).toBe('Paula Ostermann')
  expect(senderOf(inquiryOf('offer', { kundenname: 'Ilm', email: 'i@ilm.example' }))).toBe('Ilm')
  expect(senderOf(inquiryOf('offer', { email: 'i@ilm.example' }))).toBe('i@ilm.example')
  expect(senderOf(bare)).toBe('Ohne Namen')
})

test('every field that was filled in is told in German, and what nobody knows as it is', () => {
  const facts = saidIn(inquiryOf('offer', { ...bare.fields, kundenname: '', farbe: 'rot' }))
  expect(facts.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Anzahl: 1',
    'Ausführung: Wandmontage',
    'Branding: nein',
    'Support: Basis',
    'Hosting: Lokal',
    'farbe: rot',
  ])
})
