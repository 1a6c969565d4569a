import { describe, expect, it } from 'vitest'
import { generatedPassword } from './generated'

describe('a generated password', () => {
  it('has 14 signs that nobody mistakes for others, and never comes twice', () => {
    const many = Array.from({ length: 200 }, generatedPassword)
    for (const password of many) expect(password).toMatch(/^[a-hjkmnp-zA-HJ-NP-Z2-9]{14}$/)
    expect(new Set(many).size).toBe(200)
  })
})
