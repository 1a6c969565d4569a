/** The landing page's own: the headline that types itself, the rays, and the clock to try. */
import type { Page } from '@playwright/test'
import { open } from '../support/public'
import { resting } from '../support/rest'
import { expect, holdTime, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

const FIRST = 'Chip dran. Gestempelt.'
const PHRASES = [FIRST, 'Kein Netz? Stempelt weiter.', 'Feierabend ohne Zettel.', 'Monatsende ohne Suchen.']

/** Returns the visible part of the headline at this moment, out of all texts that have room there. */
const typed = (page: Page) =>
  page
    .getByRole('heading', { level: 1 })
    .locator('[aria-hidden] > *')
    .evaluateAll(parts =>
      parts
        .filter(part => getComputedStyle(part).visibility === 'visible')
        .map(part => getComputedStyle(part, '::before').content.replaceAll('"', ''))
        .join(''),
    )

const heights = (page: Page) =>
  page.evaluate(() => [
    document.documentElement.scrollHeight,
    document.querySelector('h1')?.getBoundingClientRect().height,
  ])

for (const [size, viewport] of [
  ['desktop', { width: 1280, height: 800 }],
  ['phone', { width: 320, height: 640 }],
] as const) {
  test(`the headline types one phrase after the other on a ${size}, and nothing moves`, async ({
    page,
    service,
  }) => {
    await page.setViewportSize(viewport)
    await holdTime(page)
    await open(page, service, '/')
    expect(await typed(page)).toBe(FIRST)
    const heading = page.getByRole('heading', { level: 1 })
    const heightsBefore = await heights(page)
    const seenPhrases: string[] = []
    for (let steps = 0; steps < 400 && seenPhrases.length < 5; steps += 1) {
      const now = await typed(page)
      const isPhrase = PHRASES.includes(now)
      if (isPhrase && seenPhrases.at(-1) !== now) {
        seenPhrases.push(now)
        expect(await heights(page)).toEqual(heightsBefore)
      }
      expect(PHRASES.filter(phrase => phrase.startsWith(now))).not.toEqual([])
      // A whole one stays for 3 s; a character comes or goes within 0.1 s.
      await page.clock.runFor(isPhrase ? 3_000 : 100)
    }
    const from = PHRASES.indexOf(seenPhrases[0] ?? '')
    expect(seenPhrases).toEqual([...PHRASES.slice(from), ...PHRASES.slice(0, from + 1)])
    await expect(heading).toHaveAccessibleName(FIRST)
    expect(await heights(page)).toEqual(heightsBefore)
  })
}

test('for who wants less motion the headline stays as it is', async ({ page, service }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await holdTime(page)
  await open(page, service, '/')
  for (let turn = 0; turn < 5; turn += 1) {
    await page.clock.runFor(2_000)
    expect(await typed(page)).toBe(FIRST)
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName(FIRST)
})

test('where no graphics processor draws the rays they are not drawn, and only that is said', async ({
  page,
  service,
}) => {
  const consoleTexts: string[] = []
  page.on('console', message => consoleTexts.push(message.text()))
  const settle = resting(page)
  await open(page, service, '/')
  await expect.poll(() => consoleTexts.length).toBeGreaterThan(0)
  await settle()
  expect(consoleTexts.filter(text => !text.startsWith('rays:'))).toEqual([])
  await expect(page.locator('canvas')).toHaveCount(1)
  await expect(page.locator('canvas[data-drawn]')).toHaveCount(0)
  await expect(page.locator('[aria-hidden]', { has: page.locator('canvas') })).toHaveCount(1)
})

/** The clock to try is on the left, next to the page. */
function demo(page: Page) {
  const sheet = page.getByRole('region', { name: 'Beispiel: Meine Zeiten' })
  return {
    reader: page.getByRole('button', { name: 'Chip anhalten' }),
    network: page.getByRole('switch', { name: 'Internet' }),
    newDay: page.getByRole('button', { name: 'Neuer Tag' }),
    screen: page
      .locator('[aria-live=polite]')
      .filter({ hasNot: page.getByRole('listitem') })
      .first(),
    sheet,
    rows: sheet.getByRole('listitem'),
  }
}

test('taps at the clock make entries, and the fifth is no stamp', async ({ page, service }) => {
  await open(page, service, '/')
  const { reader, newDay, screen, rows, sheet } = demo(page)
  await expect(screen).toContainText('07:58')
  await expect(rows).toHaveText(['Noch nichts gestempelt. Halte den Chip an die Uhr.'])
  await expect(newDay).toHaveCount(0)
  await reader.click()
  await expect(screen).toContainText('Kommen')
  await expect(screen).toContainText('Hallo, Mia')
  await expect(screen).toContainText('gespeichert · gesendet')
  await expect(rows).toHaveText([/^07:58 – läuft/])
  await reader.click()
  await expect(screen).toContainText('Gehen')
  await expect(rows).toHaveText([/^07:58–12:04\s*4h 06m$/])
  await reader.click()
  await expect(rows).toHaveText([/^07:58–12:04/, /^12:35 – läuft/])
  await reader.click()
  await expect(rows).toHaveText([/^07:58–12:04/, /^12:35–16:31\s*3h 56m$/, /^Feierabend/])
  await expect(sheet).toContainText('8h 02m')
  await reader.click()
  await expect(screen).toContainText('Schon gestempelt')
  await expect(rows).toHaveCount(3)
  await expect(sheet).toContainText('8h 02m')
  await newDay.click()
  await expect(screen).toContainText('07:58')
  await expect(rows).toHaveText(['Noch nichts gestempelt. Halte den Chip an die Uhr.'])
})

test('without Internet the stamps wait at the clock, and arrive with it; by keyboard alone', async ({
  page,
  service,
}) => {
  await open(page, service, '/')
  const { reader, network, newDay, screen, rows } = demo(page)
  await expect(network).toBeChecked()
  await page.getByRole('link', { name: 'So funktioniert es' }).focus()
  await page.keyboard.press('Tab')
  await expect(reader).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(rows).toHaveText([/^07:58 – läuft/])
  await page.keyboard.press('Tab')
  await expect(network).toBeFocused()
  await page.keyboard.press('Space')
  await expect(network).not.toBeChecked()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(screen).toContainText('gespeichert · wird gesendet')
  await expect(screen).toContainText('Heute 4h 06m')
  await expect(rows).toHaveText([/^07:58 – läuft/, '1 Stempel wartet sicher auf der Uhr'])
  await page.keyboard.press('Space')
  await expect(rows).toHaveText([/^07:58 – läuft/, '2 Stempel warten sicher auf der Uhr'])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(rows).toHaveText([/^07:58–12:04/, /^12:35 – läuft/])
  await page.keyboard.press('Tab')
  await expect(newDay).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(rows).toHaveText(['Noch nichts gestempelt. Halte den Chip an die Uhr.'])
  // The button that had the focus is gone.
  await expect(reader).toBeFocused()
})
