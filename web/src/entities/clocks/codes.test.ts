/**
 * Every code that a clock, or the service about a clock, writes has a sentence, and no sentence is for an unused code.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { codeTexts } from './codeTexts'

const REPOSITORY = join(import.meta.dirname, '../../../..')
const sources = ['edge/stempelwerk_edge', 'cloud/stempelwerk_cloud'].flatMap(folder =>
  readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.py'))
    .map(file => readFileSync(join(REPOSITORY, folder, file), 'utf8')),
)
const all = sources.join('\n')

/** The code expression: a literal, or its source. */
const CALL = /(?:report|device_logs\.note)\([^()[\]]*?"(?:info|warn|error)"[^,()]*,\s*([^,]+),/g
const codeExpressions = [...all.matchAll(CALL)].map(([, code = '']) => code)
const STATES = /ReaderState = Literal\[([^\]]+)\]/
/** Codes that are not literals in the call itself. */
const ELSEWHERE: Readonly<Record<string, () => string[]>> = {
  'meaning.log': () => words(/\blog="(\w+)"/g),
  'effects.log': () => words(/_halve\([^()]*, "(\w+)"\)/g),
  '_CODES[type(error)]': () => words(/^ {4}Journal\w+: "(\w+)"/gm),
  'f"reader_{state}"': () =>
    [...(STATES.exec(all)?.[1] ?? '').matchAll(/\w+/g)].map(([state]) => `reader_${state}`),
}

const words = (pattern: RegExp) => [...all.matchAll(pattern)].map(([, word = '']) => word)

it('each code has its sentence and what to do, and each sentence its code', () => {
  const codes = codeExpressions.flatMap(code => ELSEWHERE[code]?.() ?? [code.replaceAll('"', '')])
  expect(codes.length).toBeGreaterThan(30)
  expect([...new Set(codes)].sort()).toEqual(Object.keys(codeTexts).sort())
})

it('no call is overlooked', () => {
  const calls = [...all.matchAll(/\b_?report\(\s*"|device_logs\.note\(/g)]
  expect(codeExpressions.length).toBe(calls.length)
})
