/**
 * A company is closed on the real service: it takes its archive along, the operator closes it, and logins are refused.
 */
import { FOUNDER } from '../support/cloud'
import { test } from '../support/installation'
import { expect, expectSaid } from '../support/test'

test.use({ serviceWorkers: 'block' })

test('a company takes its archive, is closed by its name, and stands among the closed ones', async ({
  page,
  browser,
  cloud,
}) => {
  const ingrid = await cloud.person('ingrid', 'companyAdmin')
  await cloud.person('mia')
  const hers = await (await browser.newContext()).newPage()
  await cloud.enter(page, FOUNDER, '/admin?tab=companies')
  const choice = page.getByRole('combobox', { name: 'Firma' })
  await choice.fill(cloud.firm.name)
  await page.getByRole('option', { name: cloud.firm.name }).click()
  await expect(page.getByText('Die Firma hat noch kein Archiv ihrer Daten')).toBeVisible()

  await cloud.enter(hers, ingrid, '/company-dashboard?tab=data_view')
  const download = hers.waitForEvent('download')
  await hers.getByRole('button', { name: 'Archiv herunterladen' }).click()
  expect((await download).suggestedFilename()).toMatch(/^archiv-.*Holm\.zip$/)
  await expect(hers.getByText(/^Zuletzt vollständig heruntergeladen am .* von ingrid\.$/)).toBeVisible()

  await page.reload()
  await expect(page.getByText(/^Die Firma hat zuletzt am .* ihr vollständiges Archiv/)).toBeVisible()
  await page.getByRole('button', { name: 'Firma löschen …' }).click()
  const dialog = page.getByRole('dialog')
  const word = dialog.getByLabel(`Zum Bestätigen „${cloud.firm.name}“ eingeben`)
  await word.fill('Tischlerei')
  await dialog.getByRole('button', { name: 'Endgültig löschen' }).click()
  await expect(dialog.getByText('Das ist nicht der Name der Firma.')).toBeVisible()
  await word.fill(cloud.firm.name)
  await dialog.getByRole('button', { name: 'Endgültig löschen' }).click()
  await expectSaid(page, `Firma „${cloud.firm.name}“ gelöscht.`)
  const closed = page.getByRole('table', { name: 'Geschlossene Firmen' })
  await expect(closed.getByRole('row', { name: cloud.firm.name })).toContainText(
    /aufbewahrt bis 31\. Dezember \d{4}/,
  )

  await hers.reload()
  await expect(hers).toHaveURL(`${cloud.url}/`)
  await expect(cloud.logIn(ingrid)).rejects.toThrow('Firma, Benutzername oder Passwort ist falsch.')
})
