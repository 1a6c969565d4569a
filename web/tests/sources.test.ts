/** The house rules of the sources: who may import whom, and where German and colours may stand. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHUNKS } from '../chunks.ts'

const ROOT = join(import.meta.dirname, '../src')

const files = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter(file => file.isFile())
  .map(file => relative(ROOT, join(file.parentPath, file.name)))

const code = files.filter(file => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$/.test(file))
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

interface Import {
  from: string
  to: string
}

const imports: Import[] = code.flatMap(from =>
  [...read(from).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, to = '']) => ({
    from,
    to: to.startsWith('.') ? normalize(join(dirname(from), to)) : to,
  })),
)

const room = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1]
const offending = (broken: (edge: Import) => boolean) =>
  imports.filter(broken).map(({ from, to }) => `${from} -> ${to}`)

/** The classes that a file takes from its style sheet, and those that the sheet has. */
function classesOf(file: string) {
  const [, name = '', sheet = ''] = /import (\w+) from '(\.[^']+\.module\.css)'/.exec(read(file)) ?? []
  const used = [...read(file).matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, used = '']) => used)
  const defined = [...read(normalize(join(dirname(file), sheet))).matchAll(/\.([A-Za-z_][\w-]*)/g)]
  return { used, defined: new Set(defined.map(([, name]) => name)) }
}

describe('style sheets', () => {
  const styled = code.filter(file => /import \w+ from '\.[^']+\.module\.css'/.test(read(file)))

  it('are found at all', () => expect(styled.length).toBeGreaterThan(50))

  it('have each class that a component takes from them', () => {
    const missing = styled.flatMap(file => {
      const { used, defined } = classesOf(file)
      return used.filter(name => name !== 'module' && !defined.has(name)).map(name => `${file}: ${name}`)
    })
    expect(missing).toEqual([])
  })
})

describe('imports', () => {
  it('are found at all', () => expect(imports.length).toBeGreaterThan(100))

  it('never lead from one feature to another', () => {
    expect(
      offending(
        ({ from, to }) => room(from) !== undefined && room(to) !== undefined && room(from) !== room(to),
      ),
    ).toEqual([])
  })

  it('go down only: app, features, entities, patterns, offline, api or ui', () => {
    const LAYERS = ['gallery', 'kiosk', 'app', 'features', 'entities', 'patterns', 'offline']
    const above = (layer: string) => {
      const index = LAYERS.indexOf(layer)
      // The two at the bottom know nothing of each other, and of what is kept offline nobody tells `ui`.
      if (layer === 'ui') return [...LAYERS, 'api']
      if (layer === 'api') return [...LAYERS, 'ui']
      if (layer === 'offline') return [...LAYERS.slice(0, index), 'ui']
      return LAYERS.slice(0, Math.max(index, 0))
    }
    const layerOf = (path: string) => path.split('/')[0] ?? ''
    expect(offending(({ from, to }) => above(layerOf(from)).includes(layerOf(to)))).toEqual([])
    for (const layer of [...LAYERS, 'api', 'ui'])
      expect(
        imports.some(({ from }) => layerOf(from) === layer),
        layer,
      ).toBe(true)
  })

  it('of Mantine stand where its parts are dressed: in ui, patterns, gallery and the sheet of the phone’s "Mehr"', () => {
    const may = (from: string) => /^(ui|patterns|gallery)\//.test(from) || from === 'app/frame/MoreSheet.tsx'
    expect(offending(({ from, to }) => to.startsWith('@mantine/') && !may(from))).toEqual([])
    expect(imports.some(({ to }) => to.startsWith('@mantine/'))).toBe(true)
  })

  it('of the touchscreen need no router, no Mantine and no app', () => {
    const own = (path: string) =>
      /^(kiosk|ui)\//.test(path) || path === 'react' || path.startsWith('react-dom')
    expect(offending(({ from, to }) => from.startsWith('kiosk/') && !own(to))).toEqual([])
  })
})

/** Strings, templates and JSX text of a source, without its comments. */
function spoken(source: string): string[] {
  const bare = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  return [...bare.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`|>([^<>{}=;()]+)</g)].map(match =>
    match.slice(1).join(''),
  )
}

/** Words that no other language has, however they begin; of nouns those that are written as German ones. */
const FUNCTION_WORDS =
  /(?<![\w-])(?:und|oder|nicht|ist|sind|wird|werden|wurde|kannst|kann|kein(?:e[nmrs]?)?|dein(?:e[nmrs]?)?|eine?[nmrs]?|bitte|noch|schon|jetzt|dann|hier|auf|mit|zum|zur|bei|nach|dem|das|du|wir|dich|dir|sich|neu(?:e[nmrs]?)?|fertig|warten|laden|heute|gestern|abbrechen|speichern|gespeichert)(?![\w-])/i
const NOUNS =
  /\b(?:Uhr|Zeit(?:en)?|Monate?|Stempel(?!werk)\w*|Kommen|Gehen|Fehler|Passwort|Firma|Firmen|Seite|Sitzung(?:en)?|Person(?:en)?|Konto|Antwort)\b/
const isGerman = (text: string) => /[äöüÄÖÜß„“]/.test(text) || FUNCTION_WORDS.test(text) || NOUNS.test(text)
const MAY_SPEAK = (file: string) =>
  /(^|\/)(texts|\w+Texts|samples|feature)\.tsx?$/.test(file) ||
  file.startsWith('app/public/') ||
  file.startsWith('gallery/') ||
  file === 'ui/brand.ts'

describe('German', () => {
  it('stands only in texts.ts, …Texts.ts, samples.ts, in the menu words of feature.ts, on public pages and in the gallery', () => {
    const found = code
      .filter(file => !MAY_SPEAK(file))
      .flatMap(file =>
        spoken(read(file))
          .filter(isGerman)
          .map(text => `${file}: ${text.trim()}`),
      )
    expect(found).toEqual([])
  })

  it.each([
    "const a = 'Bitte warten'",
    "const a = 'bitte warten'",
    'return <p>Schon fertig</p>',
    'return <p>Deine Zeiten</p>',
    'const a = `neue Personen`',
    'const a = "Passwort"',
  ])('would be noticed in %s', source => {
    expect(spoken(source).some(isGerman)).toBe(true)
  })

  it.each([
    "const a = 'in' // Käse",
    '/* Bitte warten */',
    "const a = 'tab' as const",
    "search.get('monat')",
  ])('would not be noticed in %s', source => {
    expect(spoken(source).some(isGerman)).toBe(false)
  })
})

describe('tests', () => {
  it('wait by eventually or Testing Library alone, whose patience no busy machine exhausts', () => {
    const hasty = files.filter(
      file => /\.test\.tsx?$/.test(file) && /vi\.waitFor\(|expect\.poll\(|\btimeout:/.test(read(file)),
    )
    expect(hasty).toEqual([])
  })
})

describe('what scrolls', () => {
  it('is the page, and else only a table in a frame of its own, and long contents beside their text', () => {
    const boxes = files.filter(
      file => /^(?!gallery\/).*\.css$/.test(file) && /overflow(-[xy])?:\s*(auto|scroll)/.test(read(file)),
    )
    expect(boxes.sort()).toEqual(['app/public/legal/legal.module.css', 'patterns/table/DataTable.module.css'])
  })
})

describe('colours', () => {
  const NAMED = new Set(['ui/tokens.css', 'kiosk/kiosk.css'])

  const COLOUR = /#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgb|hsl)a?\(/gi

  it('are named in the tokens and in the touchscreen’s own', () => {
    const found = files
      .filter(file => (file.endsWith('.css') || code.includes(file)) && !NAMED.has(file))
      .flatMap(file => [...read(file).matchAll(COLOUR)].map(match => `${file}: ${match[0]}`))
      .filter(found => !found.endsWith(': #fff'))
    expect(found).toEqual([])
  })

  it('have red for the duty alone', () => {
    const red = files.filter(file => /\.(css|tsx?)$/.test(file) && /c81e1e/i.test(read(file)))
    expect(red).toEqual(['ui/tokens.css'])
  })
})

describe('what comes together as one file', () => {
  it.each(Object.entries(CHUNKS))('is there: %s', (_, paths) => {
    expect(
      paths.filter(path => !files.some(file => (path.endsWith('/') ? file.startsWith(path) : file === path))),
    ).toEqual([])
  })

  it('is of no administrator, where it is an employee’s', () => {
    expect(CHUNKS.hub.filter(path => /(admin|company)\//.test(path))).toEqual([])
  })

  it('is done without Mantine for employees, and for the page that an administrator opens with', () => {
    const bare = files.filter(
      file => /^features\/.*feature\.tsx?$/.test(file) && read(file).includes('bare: true'),
    )
    for (const file of bare)
      for (const page of read(file)
        .split(/\n {4}\{\n/)
        .filter(part => part.includes('bare: true')))
        expect(page, file).toMatch(/area: 'employee'|key: 'today'/)
    expect(bare.length).toBeGreaterThan(0)
  })
})

describe('the device’s clock', () => {
  /** Files that may read it, and what for: durations and pauses, never today or now. */
  const MAY_READ: Record<string, string> = {
    'api/connectivity.ts': 'pauses between two attempts',
    'api/endedSessions.ts': 'how long ago a session was left',
    'api/live/reader.ts': 'pauses between two attempts',
    'api/serviceClock.ts': 'compares it with the service’s',
    'features/balance/team/TeamPage.tsx': 'how long ago the cache was filled',
    'features/login/calls.ts': 'how long to wait, counted down by `useSecondsUntil`',
    'gallery/groups/decide.tsx': 'the same',
    'patterns/decide/useDeciding.ts': 'the same',
    'patterns/useStored.ts': 'how long ago the cache was filled',
    'ui/now.ts': 'the present moment, while the service has not been heard',
    'ui/useNow.ts': 'how long to wait',
  }
  const READS = /\bnew Date\(\)|\bDate\.now\b|\bDate\(\)|\bdayjs\(\)/
  const bare = (source: string) => source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

  it('is read nowhere else: now and today come from ui/now.ts, `currentDay`, `currentMonth` or `useNow`', () => {
    // The touchscreen has the time of its agent.
    const found = code.filter(file => !file.startsWith('kiosk/') && READS.test(bare(read(file))))
    expect(found.sort()).toEqual(Object.keys(MAY_READ).sort())
  })

  it.each(['dayOf(new Date())', 'useState(() => Date.now())', 'useState(Date.now)', 'dayjs().year()'])(
    'would be noticed in %s',
    source => expect(READS.test(bare(source))).toBe(true),
  )

  it.each(['new Date(instant)', '// by Date.now()', 'useState(now)', 'validDate()'])(
    'would not be noticed in %s',
    source => expect(READS.test(bare(source))).toBe(false),
  )
})
