/**
 * The order in which words are sorted (DIN 5007-1), the service's own (`kit/german.py`): ä as a, ö as o, ü as u, ß as ss,
 * é as e, and no case. Of two that differ in these alone the plain one comes first.
 */

const LIGATURES: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
}

function keysOf(word: string): readonly [string, string] {
  const folded = word.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss')
  const base = folded.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
  return [base.replace(/[æœøłđðı]/g, letter => LIGATURES[letter] ?? letter), folded]
}

/** For `sort`. */
export function byAlphabet(one: string, other: string): number {
  const [own, theirs] = [keysOf(one), keysOf(other)]
  return compare(own[0], theirs[0]) || compare(own[1], theirs[1])
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
