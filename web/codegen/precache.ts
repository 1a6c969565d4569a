/**
 * What the worker fetches when it is installed: the shell, the public pages and what employees have. What only
 * administrators open is kept once somebody has opened it (`src/sw.ts`).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
  dynamicImports?: string[]
}
type Chunks = Record<string, Chunk>

const AREA = /^src\/app\/(company|admin)\//
/** A page of a `feature.ts`: whose menu it stands in, and its code. */
const PAGE = /area: '(\w+)'[\s\S]*?import\('\.\/([\w/]+)'\)/g

/** The files of the build, by `manifest.json` in `folder`, that no page of an employee's needs. */
export function filesOfOffice(folder: string): Set<string> {
  const chunks = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Chunks
  const pages = declaredPages()
  const ours = (key: string) => AREA.test(key) || (pages.has(key) && !pages.get(key)?.has('employee'))
  const kept = new Set(
    filesFrom(
      chunks,
      Object.keys(chunks).filter(key => key === 'index.html'),
      ours,
    ),
  )
  return new Set(
    Object.values(chunks)
      .flatMap(filesOf)
      .filter(file => !kept.has(file)),
  )
}

/** Each page's source, and the menus that it stands in. */
function declaredPages(): Map<string, Set<string>> {
  const pages = new Map<string, Set<string>>()
  for (const path of readdirSync('src/features', { recursive: true, encoding: 'utf8' })) {
    if (!/feature\.tsx?$/.test(path)) continue
    for (const [, area = '', name] of readFileSync(join('src/features', path), 'utf8').matchAll(PAGE)) {
      const source = join('src/features', path, '..', `${name}.tsx`)
      pages.set(source, new Set([...(pages.get(source) ?? []), area]))
    }
  }
  return pages
}

function filesFrom(chunks: Chunks, from: string[], isLeftOut: (key: string) => boolean): string[] {
  const seen = new Set<string>()
  const look = (key: string) => {
    const chunk = chunks[key]
    if (chunk === undefined || seen.has(key) || isLeftOut(key)) return
    seen.add(key)
    for (const next of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) look(next)
  }
  for (const key of from) look(key)
  return [...seen].flatMap(key => filesOf(chunks[key] as Chunk))
}

const filesOf = ({ file, css = [] }: Chunk) => [file, ...css]
