/** What is to be said of one file, or of two that ought to follow each other. */
import { type Bytes, check, digestOf, type Finding, type Keys, type Statement } from './check'

export interface StatementFile {
  name: string
  content: Bytes
}

export interface Examined extends StatementFile {
  digest: string
  finding: Finding
}

/**
 * `none`: there is no statement to judge, so nobody has forged one.
 * `main` is the one that is spoken of: the file itself; of two the one that fails by itself, else the later one.
 * `apart`: both are genuine, but the earlier one is not the one that the later one names.
 */
export interface Judgement {
  verdict: 'genuine' | 'apart' | 'not' | 'none'
  main: Examined
  other: Examined | null
}

export async function judge(files: readonly StatementFile[], keys: Keys): Promise<Judgement | null> {
  const [first, second] = await Promise.all(files.map(file => examined(file, keys)))
  if (first === undefined) return null
  const all = [first, second].flatMap(file => file ?? [])
  const failing = all.find(isWrong) ?? all.find(isNone)
  if (failing !== undefined) {
    return {
      verdict: isNone(failing) ? 'none' : 'not',
      main: failing,
      other: (failing === first ? second : first) ?? null,
    }
  }
  if (second === undefined || second.digest === first.digest) {
    return { verdict: 'genuine', main: first, other: null }
  }
  const [main, other] = comesAfter(first, second) ? [first, second] : [second, first]
  const finding = await check(main.content, keys, other.content)
  const verdict = finding.code === 'valid' ? 'genuine' : 'apart'
  return { verdict, main: { ...main, finding }, other }
}

const isNone = ({ finding }: Examined) => finding.at === 'file'
const isWrong = (file: Examined) => file.finding.code !== 'valid' && !isNone(file)

async function examined(file: StatementFile, keys: Keys): Promise<Examined> {
  return { ...file, digest: digestOf(file.content), finding: await check(file.content, keys) }
}

const when = ({ madeAt, month }: Statement) => `${madeAt} ${month}`

/** By what they name; if they name others, by when they were made. */
function comesAfter(one: Examined, other: Examined): boolean {
  const statementOf = (file: Examined) => file.finding.statement as Statement
  if (statementOf(one).previous?.digest === other.digest) return true
  if (statementOf(other).previous?.digest === one.digest) return false
  return when(statementOf(one)) > when(statementOf(other))
}
