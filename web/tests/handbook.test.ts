/** The handbook's words are the pages' words: what it prints in bold is a text of a page or of the clock. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SOURCES = join(import.meta.dirname, '../src')
const HANDBOOK = join(import.meta.dirname, '../../docs/handbuch.md')

const spoken = new Set(
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter(file => /texts\.ts$/i.test(file))
    .flatMap(file => [...readFileSync(join(SOURCES, file), 'utf8').matchAll(/'([^'\n]+)'/g)])
    .map(([, text = '']) => text.replaceAll('\\u00a0', ' ')),
)
const bold = [...readFileSync(HANDBOOK, 'utf8').matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) =>
  label.replace(/\s+/g, ' '),
)

it('names what there is, and enough of it', () => {
  const unknown = bold.filter(label => label !== 'Fett' && !spoken.has(label))
  expect(unknown).toEqual([])
  expect(bold.length).toBeGreaterThan(50)
})
