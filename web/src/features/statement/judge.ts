/** The verdict on one file, or on two consecutive ones. */
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
 * - `none`: the file is not a statement, so it is no forgery either.
 * - `main`: the subject of the verdict: the file itself; of two the one that fails, else the later one.
 * - `apart`: both are genuine, but the later one does not refer to the earlier one.
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

/** Orders by reference, or by creation time if neither refers to the other. */
function comesAfter(one: Examined, other: Examined): boolean {
  const statementOf = (file: Examined) => file.finding.statement as Statement
  if (statementOf(one).previous?.digest === other.digest) return true
  if (statementOf(other).previous?.digest === one.digest) return false
  return when(statementOf(one)) > when(statementOf(other))
}
