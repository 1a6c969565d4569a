/** Compares the checker with the service's own, file by file, and checks that every change is detected. */

import { webcrypto } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { bytesOf, textOf } from './base64url'
import { type Bytes, type Code, check, digestOf } from './check'
import { type KeyRow, keysOf, verifyByHand } from './keys'

interface Vectors {
  keys: KeyRow[]
  files: { name: string; content: string; previous: string | null; code: Code }[]
}

const { keys: rows, files } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../cloud/tests/office/statement_vectors.json'), 'utf8'),
) as Vectors

const decoded = (text: string): Bytes => Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
const genuine = decoded(files.find(({ code }) => code === 'valid')?.content ?? '')

/** With the browser's Ed25519, and without. */
const HANDS = [
  ['the browser’s own hands', webcrypto],
  ['ours', { subtle: undefined }],
] as const

describe.each(HANDS)('by %s', (_, crypto) => {
  it.each(files.map(file => [file.name, file] as const))('%s', async (_name, { content, previous, code }) => {
    vi.stubGlobal('crypto', crypto)
    const previousBytes = previous === null ? null : decoded(previous)
    const finding = await check(decoded(content), keysOf(rows), previousBytes)
    expect(finding.code).toBe(code)
    expect(finding.at === null).toBe(code === 'valid')
    const hasStatement = ['valid', 'sums', 'previous_missing', 'previous_mismatch'].includes(code)
    expect(finding.statement !== null).toBe(hasStatement)
  })
})

/** Reproducible pseudo-random numbers. */
function chance(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Another sequence of bytes: one changed, removed, duplicated, moved, or a digit replaced. */
function changed(content: Bytes, draw: (below: number) => number): Bytes {
  const bytes = [...content]
  const index = draw(bytes.length)
  const digits = bytes.flatMap((byte, index) => (byte >= 48 && byte <= 57 ? [index] : []))
  const digit = digits[draw(digits.length)] ?? 0
  const ways = [
    () => bytes.splice(index, 1, draw(256)),
    () => bytes.splice(index, 1),
    () => bytes.splice(index, 0, draw(256)),
    () => bytes.splice(draw(bytes.length), 0, ...bytes.splice(index, 1 + draw(8))),
    () => bytes.splice(digit, 1, 48 + draw(10)),
    () => bytes.splice(index),
  ]
  ways[draw(ways.length)]?.()
  return Uint8Array.from(bytes)
}

it('a thousand files that were changed by chance are all found', async () => {
  const draw = chance(20261120)
  const keys = keysOf(rows)
  const passed: number[] = []
  const codes = new Set<Code>()
  for (let checkedCount = 0; checkedCount < 1_000; ) {
    const altered = changed(genuine, draw)
    if (digestOf(altered) === digestOf(genuine)) continue
    const { code } = await check(altered, keys)
    codes.add(code)
    if (code === 'valid') passed.push(checkedCount)
    checkedCount += 1
  }
  expect(passed).toEqual([])
  expect([...codes].sort()).toEqual(['format', 'not_canonical', 'signature', 'unknown_key'])
})

describe('a key', () => {
  it('is taken from the installation alone', async () => {
    expect((await check(genuine, keysOf([]))).code).toBe('unknown_key')
    expect((await check(genuine, keysOf([{ ...rows[0], alg: 'none' } as unknown as KeyRow]))).code).toBe(
      'unknown_key',
    )
    expect(keysOf([{ ...rows[0], publicKey: 'AAAA' } as KeyRow]).size).toBe(0)
  })

  it('does not verify what is no signature', () => {
    const key = bytesOf(rows[0]?.publicKey ?? '') as Bytes
    expect(verifyByHand(new Uint8Array(64), genuine, key)).toBe(false)
    expect(verifyByHand(new Uint8Array(3), genuine, key)).toBe(false)
  })
})

describe('base64url', () => {
  it('there and back', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    expect(bytesOf(textOf(bytes))).toEqual(bytes)
  })

  it.each(['a', 'ab=', 'a+b/', 'ä'])('is not %s', text => expect(bytesOf(text)).toBeNull())
})
