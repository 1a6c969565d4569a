/** The house rules of the sources: who may import whom, and where German and colours may stand. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

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

describe('imports', () => {
  it('are found at all', () => expect(imports.length).toBeGreaterThan(100))

  it('never lead from one feature to another', () => {
    expect(
      offending(
        ({ from, to }) => room(from) !== undefined && room(to) !== undefined && room(from) !== room(to),
      ),
    ).toEqual([])
  })

  it('go down only: app, features, offline, api, ui', () => {
    const LEVELS: Record<string, readonly string[]> = {
      ui: ['app/', 'features/', 'offline/', 'api/', 'kiosk/'],
      api: ['app/', 'features/', 'offline/', 'ui/', 'kiosk/'],
      offline: ['app/', 'features/', 'ui/', 'kiosk/'],
      features: ['app/', 'kiosk/'],
      app: ['kiosk/'],
    }
    expect(
      offending(({ from, to }) =>
        (LEVELS[from.split('/')[0] ?? ''] ?? []).some(forbidden => to.startsWith(forbidden)),
      ),
    ).toEqual([])
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
  /(^|\/)(texts|auditTexts|samples)\.ts$/.test(file) ||
  file.startsWith('app/public/') ||
  file === 'ui/brand.ts'

describe('German', () => {
  it('stands only in texts.ts, auditTexts.ts and samples.ts, and in the content of public pages', () => {
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

describe('colours', () => {
  const NAMED = new Set(['ui/tokens.css', 'kiosk/kiosk.css', 'app/public/Home.module.css'])

  const COLOUR = /#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgb|hsl)a?\(/gi

  it('are named in the tokens, in the touchscreen’s own and in one drawing', () => {
    const found = files
      .filter(file => (file.endsWith('.css') || code.includes(file)) && !NAMED.has(file))
      .flatMap(file => [...read(file).matchAll(COLOUR)].map(match => `${file}: ${match[0]}`))
      .filter(found => !found.endsWith(': #fff'))
    expect(found).toEqual([])
  })

  it('have red for the duty and for what is not saved alone', () => {
    const red = files.filter(file => /\.(css|tsx?)$/.test(file) && /c81e1e/i.test(read(file)))
    expect(red.sort()).toEqual(['kiosk/kiosk.css', 'ui/tokens.css'])
  })
})
