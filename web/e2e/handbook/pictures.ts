/**
 * Pictures of the employee's pages on a phone for the handbook, and the README's picture of a clock that answers a tap
 * next to the page. They come from the real demo.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, test } from '@playwright/test'
import { Demo } from '../support/demo'

const IMAGES = join(import.meta.dirname, '../../../docs/images')
const INTO = join(IMAGES, 'handbuch')
const ANNAS_TAG = '04A1B2C3D4E5F6'
const PAGES = {
  termine: { key: 'my_schedule', heading: 'Meine Termine' },
  abwesenheiten: { key: 'my_absences', heading: 'Meine Abwesenheiten' },
  zeiten: { key: 'my_times', heading: 'Meine Zeiten' },
  zeitkonto: { key: 'my_account', heading: 'Zeitkonto' },
  nachrichten: { key: 'my_messages', heading: 'Meine Nachrichten' },
}

test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 })

/** Both as they are, side by side on one sheet. */
async function pair(page: Page, demo: Demo) {
  const clock = await page.context().newPage()
  await clock.setViewportSize({ width: 800, height: 480 })
  await clock.goto(demo.clock)
  await page.setViewportSize({ width: 1100, height: 690 })
  await page.goto(`${demo.cloud}/dashboard?tab=${PAGES.zeiten.key}`)
  await page.getByText('Monatssumme').or(page.getByText('Arbeitszeit')).first().waitFor()
  await demo.tap(ANNAS_TAG)
  await clock.getByText('Hallo, Anna Brandt').waitFor()
  const screenshots = [await clock.screenshot()]
  await page.getByText('Eingestempelt').waitFor()
  await page.waitForTimeout(1_500)
  screenshots.push(await page.screenshot())
  const [left, right] = screenshots.map(one => `data:image/png;base64,${one.toString('base64')}`)
  const sheet = await page.context().newPage()
  await sheet.setViewportSize({ width: 1400, height: 620 })
  await sheet.setContent(`<style>
    body { margin: 0; height: 100vh; display: flex; align-items: center; justify-content: center; gap: 32px; background: #f0ede7 }
    img { display: block; border-radius: 12px }
    img:first-child { width: 520px; border: 14px solid #211c17; border-radius: 26px }
    img:last-child { width: 762px; outline: 1px solid #cfc8bf }
  </style><img src="${left}"><img src="${right}">`)
  await sheet.screenshot({ path: join(IMAGES, 'clock-and-page.png'), scale: 'css' })
}

test('the pictures of the employee’s pages, and of the clock beside one', async ({ page }) => {
  test.setTimeout(400_000)
  mkdirSync(INTO, { recursive: true })
  const demo = await Demo.start()
  try {
    await demo.logIn(page, 'Anna Brandt', '/dashboard', PAGES.termine.heading)
    for (const [name, { key, heading }] of Object.entries(PAGES)) {
      await page.goto(`${demo.cloud}/dashboard?tab=${key}`)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      // Late content has arrived, and nothing moves any more.
      await page.waitForTimeout(1_500)
      await page.screenshot({ path: join(INTO, `${name}.png`) })
    }
    await pair(page, demo)
  } finally {
    await demo.stop()
  }
})
