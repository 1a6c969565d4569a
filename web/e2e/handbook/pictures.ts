/** The employee's pages as the handbook shows them: the real ones, of the real demo, on a phone. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
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
    await logIn(page, demo)
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

async function logIn(page: Page, demo: Demo) {
  await page.goto(demo.cloud)
  await page.getByRole('button', { name: 'Loslegen' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Firmenname').fill('Tischlerei Holm')
  await dialog.getByLabel('Benutzername').fill('Anna Brandt')
  await dialog.getByLabel('Passwort', { exact: true }).fill('Hobelbank26')
  const known = await demo.mails()
  await dialog.getByRole('button', { name: 'Einloggen' }).click()
  let code: string | null = null
  await expect(async () => {
    code = await demo.codeAfter(known)
    expect(code).not.toBeNull()
  }).toPass()
  await dialog
    .getByLabel(/Code/)
    .first()
    .fill(code ?? '')
  await dialog.getByRole('button', { name: 'Bestätigen' }).click()
  await page.waitForURL('**/dashboard**')
}
