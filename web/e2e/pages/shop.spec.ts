/** The shop with its counter and its toast, and the clock's four spots on the page of products. */
import type { Page } from '@playwright/test'
import { calls, open, waitForHydration } from '../support/public'
import { expect, holdTime, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

/** Values of the documents' table. */
const PRICES = {
  'Main Line': { Core: '799 €', Go: '1.299 €' },
  Helpers: { TempWizard: '199 €', Tagger: 'Preis auf Anfrage', Hub: 'Preis auf Anfrage' },
  'Add-ons': { Dock: '79 €', PowerDock: '149 €', Mini: '399 €', Beacon: '249 €' },
} as const

const TABS = Object.keys(PRICES) as (keyof typeof PRICES)[]

/** Returns the products in the current tab, by name. */
async function expectTab(page: Page, tab: keyof typeof PRICES) {
  await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('tab', { selected: true })).toHaveCount(1)
  const panel = page.getByRole('tabpanel', { name: tab })
  await expect(panel).toBeVisible()
  await expect(page.getByRole('tabpanel')).toHaveCount(1)
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText(Object.keys(PRICES[tab]))
  return panel
}

test('three tabs hold the nine products at the documents’ prices, and lead to an inquiry', async ({
  page,
  service,
}) => {
  await open(page, service, '/shop')
  await expect(page.getByRole('tab')).toHaveText(TABS)
  await expectTab(page, 'Main Line')
  await expect(page.getByRole('main')).toContainText('zzgl. MwSt.')
  for (const tab of TABS) {
    await page.getByRole('tab', { name: tab }).click()
    const panel = await expectTab(page, tab)
    for (const [name, price] of Object.entries(PRICES[tab])) {
      const product = panel
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name, exact: true }) })
      await expect(product.getByText(/€$|^Preis/)).toHaveText(price)
      await expect(product.getByRole('button', { name: `${name}: In den Warenkorb` })).toHaveText(
        'In den Warenkorb',
      )
      const ask = product.getByRole('link', { name: `${name}: Anfragen` })
      await expect(ask).toHaveText('Anfragen')
      await expect(ask).toHaveAttribute('href', /^\/kontakt\b/)
    }
  }
  await page.getByRole('link', { name: 'Beacon: Anfragen' }).click()
  await expect(page).toHaveURL(`${service.url}/kontakt?produkt=beacon`)
  await expect(page.getByPlaceholder('Ihre Nachricht')).toHaveValue(/Beacon/)
})

test('the tabs are gone through by the arrow keys', async ({ page, service }) => {
  await open(page, service, '/shop')
  await page.getByRole('tab', { name: 'Main Line' }).focus()
  for (const [key, tab] of [
    ['ArrowRight', 'Helpers'],
    ['ArrowRight', 'Add-ons'],
    ['ArrowRight', 'Main Line'],
    ['ArrowLeft', 'Add-ons'],
    ['Home', 'Main Line'],
    ['End', 'Add-ons'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(page.getByRole('tab', { name: tab })).toBeFocused()
    await expectTab(page, tab)
  }
  // One stop for all three, and the next is the first product's button.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Dock: In den Warenkorb', exact: true })).toBeFocused()
})

const count = (page: Page) => page.getByText('Warenkorb', { exact: false }).locator('[data-count]')

test('the counter begins at 0, rises by 1 with each press, and is kept nowhere', async ({
  page,
  service,
}) => {
  const apiCalls = calls(page)
  await open(page, service, '/shop')
  await expect(count(page)).toHaveText('0')
  await page.getByRole('button', { name: 'Core: In den Warenkorb' }).click()
  await expect(count(page)).toHaveText('1')
  await page.getByRole('button', { name: 'Core: In den Warenkorb' }).click()
  await page.getByRole('tab', { name: 'Helpers' }).click()
  await page.getByRole('button', { name: 'Hub: In den Warenkorb' }).click()
  await expect(count(page)).toHaveText('3')
  const storage = await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])
  expect(storage).toEqual([0, 0, ''])
  await page.reload()
  await waitForHydration(page)
  await expect(count(page)).toHaveText('0')
  expect(await apiCalls()).toEqual([])
})

test('what was added is said for 1.8 s, and anew with each addition', async ({ page, service }) => {
  await holdTime(page)
  await open(page, service, '/shop')
  const toast = page.getByRole('status').filter({ hasText: 'Zum Warenkorb hinzugefügt' })
  await expect(toast).toHaveCount(0)
  await page.getByRole('button', { name: 'Core: In den Warenkorb' }).click()
  await expect(toast).toHaveText('Zum Warenkorb hinzugefügtCore')
  await page.clock.runFor(1_799)
  await expect(toast).toBeVisible()
  await page.clock.runFor(1)
  await expect(toast).toHaveCount(0)

  await page.getByRole('button', { name: 'Core: In den Warenkorb' }).click()
  await page.clock.runFor(1_500)
  await page.getByRole('button', { name: 'Go: In den Warenkorb' }).click()
  await expect(toast).toHaveText('Zum Warenkorb hinzugefügtGo')
  await page.clock.runFor(1_799)
  await expect(toast).toBeVisible()
  await page.clock.runFor(1)
  await expect(toast).toHaveCount(0)
  await expect(count(page)).toHaveText('3')
})

const SPOTS = ['Stromversorgung', 'USB und HDMI', 'Display und Web', 'SD-Karte']
const NORMAL = 'Die Stempeluhr von vorn'
const SAFE = 'Die Stempeluhr im abgesicherten Zustand'

/** Returns the visible picture and the marked text. */
async function expectChosen(page: Page, chosen: string | null) {
  await expect(page.getByAltText(NORMAL)).toBeVisible({ visible: chosen === null })
  await expect(page.getByAltText(SAFE)).toBeVisible({ visible: chosen !== null })
  for (const name of SPOTS) {
    const spot = page.getByRole('button', { name })
    await expect(spot).toHaveAttribute('aria-pressed', String(name === chosen))
    const text = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
    await expect(text).toBeVisible()
    await expect(text).toHaveAttribute('data-chosen', String(name === chosen))
    await expect(spot).toHaveAccessibleDescription(/\S{3}/)
  }
}

/** Chooses each spot after the other, the last one again, by whatever a press is. */
async function chooseAll(page: Page, press: (name: string) => Promise<void>) {
  await expectChosen(page, null)
  for (const name of SPOTS) {
    await press(name)
    await expectChosen(page, name)
  }
  await press('SD-Karte')
  await expectChosen(page, null)
}

test('each of the four spots shows the clock in its safe state and marks its text, and the same press goes back', async ({
  page,
  service,
}) => {
  await open(page, service, '/produkte')
  await chooseAll(page, name => page.getByRole('button', { name }).click())
})

test('the spots are reached and pressed by keyboard', async ({ page, service }) => {
  await open(page, service, '/produkte')
  await page.getByRole('button', { name: 'Stromversorgung' }).focus()
  for (const name of SPOTS.slice(1)) {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name })).toBeFocused()
  }
  await chooseAll(page, async name => {
    await page.getByRole('button', { name }).focus()
    await page.keyboard.press(name === 'SD-Karte' ? 'Space' : 'Enter')
  })
})

test('Alt and a click tell the place in the picture and change nothing', async ({ page, service }) => {
  const consoleTexts: string[] = []
  page.on('console', message => consoleTexts.push(message.text()))
  await open(page, service, '/produkte')
  const picture = page.getByAltText(NORMAL)
  const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {}
  await picture.click({ modifiers: ['Alt'], position: { x: width / 4, y: height / 10 } })
  await expect.poll(() => consoleTexts.length).toBe(1)
  const position = JSON.parse(consoleTexts[0] ?? '{}')
  expect(position.x).toBeCloseTo(0.25, 1)
  expect(position.y).toBeCloseTo(0.1, 1)
  await expectChosen(page, null)
  await page.getByRole('button', { name: 'SD-Karte' }).click()
  await page.getByRole('button', { name: 'Display und Web' }).click({ modifiers: ['Alt'] })
  await expect.poll(() => consoleTexts.length).toBe(2)
  await expectChosen(page, 'SD-Karte')
  await page.getByAltText(SAFE).click({ position: { x: width / 4, y: height / 10 } })
  expect(consoleTexts).toHaveLength(2)
})

test.describe('by touch, on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test('the spots are wide enough for a finger, and a tap chooses', async ({ page, service }) => {
    await open(page, service, '/produkte')
    for (const name of SPOTS) {
      const { width = 0, height = 0 } = (await page.getByRole('button', { name }).boundingBox()) ?? {}
      expect(Math.min(width, height), name).toBeGreaterThanOrEqual(44)
    }
    await chooseAll(page, name => page.getByRole('button', { name }).tap())
  })
})
