/**
 * Every part in every state, as the gallery shows it: accessible, within its window, and looking as in the stored
 * picture. `npm run pictures` renews the pictures.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectContrasts } from '../support/axe'
import { Gallery } from '../support/gallery'
import { expectFits, expectLevel, still } from '../support/look'

const SRC = join(import.meta.dirname, '../../src')
const PICTURES = join(import.meta.dirname, '../pictures')

const GROUPS = readdirSync(join(SRC, 'gallery/groups')).map(file => basename(file, '.tsx'))

/** Those that the window's height matters to. The window of the others is higher than they are: so all opens downwards. */
const OF_WINDOW_HEIGHT = new Set(['dialogs', 'long', 'sheets'])
const HIGH = 3_200

/** Groups without a picture in the dark or of a phone, where it would show nothing that others do not. */
const SEEN_IN_LIGHT = new Set([
  'copyable',
  'example',
  'dialogs',
  'forms',
  'icons',
  'long',
  'months',
  'offline',
  'pages',
  'people',
  'tables',
])
const SEEN_WIDE = new Set([
  'badges',
  'buttons',
  'dates',
  'dialogs',
  'example',
  'fields',
  'forms',
  'icons',
  'offline',
  'people',
  'progress',
  'selects',
  'states',
])

/**
 * A phone is another page to them: rows that become cards close their menu, and long lists measure their rows again.
 */
const LOADED_ANEW = new Set(['long', 'tables'])

/** A phone in one colour: what it shows otherwise is where things lie. */
const LOOKS = [
  { look: 'light', colorScheme: 'light', phone: false, unseen: new Set<string>() },
  { look: 'dark', colorScheme: 'dark', phone: false, unseen: SEEN_IN_LIGHT },
  { look: 'phone', colorScheme: 'light', phone: true, unseen: SEEN_WIDE },
] as const

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

const gallery = new Gallery()

test.describe.configure({ mode: 'parallel' })

test.beforeAll(() => gallery.start())
test.afterAll(() => gallery.stop())

async function open(page: Page, group: string) {
  await page.goto(`${gallery.url}/?group=${group}`)
  await page.evaluate(() => document.fonts.load('16px "Figtree Variable"'))
  await expect(page.locator('main[data-ready]')).toBeVisible()
}

/** Turns the current page into that of a phone: narrow, and pressed by a thumb. */
async function toPhone(page: Page, size: { width: number; height: number }) {
  const browser = await page.context().newCDPSession(page)
  await page.setViewportSize(size)
  await browser.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: true })
  await browser.send('Emulation.setTouchEmulationEnabled', { enabled: true })
}

/**
 * A menu takes the focus some time after it opens, and whether that draws a ring depends on the machine's load.
 * Pictures are taken without a ring.
 */
async function unfocus(page: Page) {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
}

for (const group of GROUPS) {
  const high = OF_WINDOW_HEIGHT.has(group) ? {} : { height: HIGH }
  test.describe(() => {
    test.use({ viewport: { ...DESKTOP, ...high } })

    test(group, async ({ page }) => {
      await open(page, group)
      for (const { look, colorScheme, phone, unseen } of LOOKS) {
        await page.emulateMedia({ colorScheme })
        if (phone) await toPhone(page, { ...PHONE, ...high })
        if (phone && LOADED_ANEW.has(group)) await open(page, group)
        await unfocus(page)
        await still(page)
        await expectFits(page, `${group}-${look}`)
        await expectLevel(page, `${group}-${look}`)
        await (look === 'dark' ? expectContrasts : expectAccessible)(page, `${group}-${look}`)
        if (unseen.has(group)) continue
        const picture = `${group}-${look}.png`
        if (group === 'long') {
          await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2))
          await expect(page).toHaveScreenshot(picture, { stylePath: [] })
        } else {
          await expect(page.getByRole('main')).toHaveScreenshot(picture)
        }
      }
    })
  })
}

test('no picture is of something that is not there any more', () => {
  const expectedPictures = LOOKS.flatMap(({ look, unseen }) =>
    GROUPS.filter(group => !unseen.has(group)).map(group => `${group}-${look}.png`),
  )
  expect(readdirSync(PICTURES).filter(picture => !expectedPictures.includes(picture))).toEqual([])
})

/** Parts that the gallery does not show by name, with the reason. */
const NOT_SHOWN: Record<string, string> = {
  'entities/absences/preview.tsx Warnings': 'Notice, above what is decided of leave',
  'entities/alarms/AlarmSettings.tsx AlarmSettings': 'FormDialog, on both pages of alarms',
  'entities/alarms/AlarmTable.tsx AlarmTable': 'DataTable, on both pages of alarms',
  'entities/clocks/clocks.tsx State': 'Badge, in two words',
  'entities/clocks/clocks.tsx Warnings': 'Notice, above what is told of a clock',
  'entities/clocks/clocks.tsx RenameDialog': 'FormDialog, of name and notes',
  'entities/companies/CompanySelect.tsx CompanySelect': 'Select, of companies',
  'entities/people/PersonLink.tsx Name': 'PersonLink, in a long list',
  'entities/people/PersonLink.tsx PersonLink': 'a name, as any link where it leads somewhere',
  'entities/held/HeldActs.tsx HeldActs': 'what can be done to a stamp that waits, on Heute and Prüfliste',
  'entities/times/Times.tsx Times': 'DataTable, of somebody’s month',
  'patterns/Discard.tsx Discard': 'FormDialog, before it is left',
  'patterns/DiscardUnsent.tsx DiscardUnsent': 'UnsentItems, before one is put away',
  'patterns/Older.tsx Older': 'below a long list of the service, as in the audit log',
  'patterns/Unsent.tsx Unsent': 'UnsentItems, of what waits',
  'patterns/WrongClock.tsx WrongClock': 'WrongClockNotice, until it has been understood',
  'ui/MonthCalendar.tsx CalendarThing': 'MonthCalendar',
  'ui/MonthCalendar.tsx CalendarToolbar': 'MonthCalendar',
  'ui/InSight.tsx InSight': 'Form and the login, around what went wrong',
  'ui/Dressed.tsx Dressed': 'around all of them',
  'ui/fields.tsx EmailInput': 'TextInput, which keeps an address as it was typed',
  'ui/Printed.tsx Printed': 'seen on paper alone',
  'patterns/table/Rows.tsx Rows': 'DataTable in a wide window',
  'patterns/table/Rows.tsx Choose': 'DataTable, where rows can be selected',
  'patterns/table/Cards.tsx Cards': 'DataTable on a phone',
}

test('every part is in the gallery', () => {
  const under = (folder: string) =>
    readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' })
      .map(file => join(folder, file))
      .filter(file => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
  const parts = ['ui', 'patterns', 'entities'].flatMap(under).flatMap(componentsOf)
  const shownParts = new Set(under('gallery/groups').flatMap(importedBy))
  const missing = parts.filter(part => !shownParts.has(part) && !shownParts.has(part.replace(/ .*/, ' *')))
  expect(parts.length).toBeGreaterThan(80)
  expect(missing.sort()).toEqual(Object.keys(NOT_SHOWN).sort())
})

const read = (file: string) => readFileSync(join(SRC, file), 'utf8')

/** `ui/Button.tsx Button`: what a module exports that is named as components are. */
function componentsOf(file: string): string[] {
  const source = read(file)
  const ownExports = [...source.matchAll(/^export (?:function|const) ([A-Z]\w*[a-z]\w*)/gm)].map(
    ([, name]) => name,
  )
  const passed = [...source.matchAll(/^export \{([^}]+)\} from/gm)].flatMap(([, names = '']) =>
    namesIn(names),
  )
  return [...ownExports, ...passed].map(name => `${file} ${name}`)
}

function importedBy(file: string): string[] {
  return [...read(file).matchAll(/^import (?:\* as \w+|\{([^}]+)\}) from '(\.[^']+)'/gm)].flatMap(
    ([, names = '*', path = '']) =>
      namesIn(names).map(name => `${relative('.', normalize(join(dirname(file), path)))}.tsx ${name}`),
  )
}

const namesIn = (list: string) => list.split(',').map(name => name.trim().replace(/ as .*/, ''))
