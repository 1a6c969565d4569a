/**
 * Sorts words as German does (DIN 5007-1) and as the service does (`kit/german.py`): ä as a, ö as o, ü as u, ß as ss, é as
 * e, without case. Words that are equal otherwise are sorted plain letter first.
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
  const folded = word.normalize('NFKC').toLowerCase().replaceAll('\u00df', 'ss')
  const base = folded.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
  return [base.replace(/[æœøłđðı]/g, letter => LIGATURES[letter] ?? letter), folded]
}

/** Compares two words, for `sort`. */
export function byAlphabet(left: string, right: string): number {
  const [leftBase, leftFolded] = keysOf(left)
  const [rightBase, rightFolded] = keysOf(right)
  return compare(leftBase, rightBase) || compare(leftFolded, rightFolded)
}

const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)
