import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isUnreadable, normaliseTag } from './tags'

interface Vector {
  id: string
  catches: string
  input: { text?: string; bytes?: string }
  expected: { tag: string } | { refused: string }
}

const file = join(import.meta.dirname, '../../../docs/contract/v1/vectors/tags.json')
const { topic, cases } = JSON.parse(readFileSync(file, 'utf8')) as { topic: string; cases: Vector[] }
// Readers' bytes are the clock's business; a page only sees text.
const texts = cases.filter(vector => vector.input.text !== undefined)
const chips = cases.filter(({ input }) => [8, 14, 20].includes(input.bytes?.length ?? 0))

describe('tags as the contract spells them', () => {
  it('has the vectors', () => {
    expect(topic).toBe('tags')
    expect(texts.length).toBeGreaterThan(20)
  })

  it.each(texts.map(vector => [vector.id, vector.catches, vector] as const))(
    '%s (%s)',
    (_id, _catches, vector) => {
      expect(normaliseTag(vector.input.text ?? '')).toEqual(vector.expected)
    },
  )

  it.each(chips.map(vector => [vector.id, vector.catches, vector] as const))(
    'warns of the numbers that no clock takes: %s (%s)',
    (_id, _catches, { input, expected }) => {
      expect(isUnreadable((input.bytes ?? '').toUpperCase())).toBe('refused' in expected)
    },
  )
})
