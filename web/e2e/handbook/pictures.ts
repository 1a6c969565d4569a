/** The employee's pages as the handbook shows them: the real ones, of the real demo, on a phone. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { Demo } from '../support/demo'

const INTO = join(import.meta.dirname, '../../../docs/images/handbuch')
const PAGES = {
  termine: { key: 'my_schedule', heading: 'Meine Termine' },
  abwesenheiten: { key: 'my_absences', heading: 'Meine Abwesenheiten' },
  zeiten: { key: 'my_times', heading: 'Meine Zeiten' },
  zeitkonto: { key: 'my_account', heading: 'Zeitkonto' },
  nachrichten: { key: 'my_messages', heading: 'Meine Nachrichten' },
}

test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 })

test('the pictures of the employee’s pages', async ({ page }) => {
  test.setTimeout(400_000)
  mkdirSync(INTO, { recursive: true })
  const demo = await Demo.start()
  try {
    await demo.logIn(page, 'Anna Brandt', '/dashboard', PAGES.termine.heading)
    for (const [name, { key, heading }] of Object.entries(PAGES)) {
      await page.goto(`${demo.cloud}/dashboard?tab=${key}`)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      // Whatever comes later has come, and nothing moves any more.
      await page.waitForTimeout(1_500)
      await page.screenshot({ path: join(INTO, `${name}.png`) })
    }
  } finally {
    await demo.stop()
  }
})
