/** The company's log on the real service: what people do stands in it, in words. */
import { Cloud } from '../support/cloud'
import { expect, fillIn, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

const cloud = new Cloud(false)

test.beforeAll(async () => {
  test.setTimeout(120_000)
  await cloud.start()
})
test.afterAll(() => cloud.stop())

test('who did what stands in the log, is found by person, kind and day', async ({ page }) => {
  const ingrid = await cloud.person('ingrid', 'companyAdmin')
  const mia = await cloud.person('mia')
  await cloud.resetPassword(mia)
  await cloud.lock(mia)
  await page.goto(cloud.url)
  await page.getByRole('button', { name: 'Login' }).click()
  await fillIn(page, ingrid.username, ingrid.password)
  await expect(page.getByRole('heading', { level: 1, name: 'Änderungsprotokoll' })).toBeVisible()
  const table = page.getByRole('table', { name: 'Einträge' })
  await expect(table.getByRole('cell').filter({ hasText: /wurde|hat/ })).toHaveText([
    'Das Konto von mia wurde gesperrt.',
    'Das Passwort von mia wurde zurückgesetzt.',
    /^mia wurde angelegt\..*Rolle.*Mitarbeiter.*Tag-ID.*04000000000002/,
    /^ingrid wurde angelegt\..*Firmen-Admin/,
    /Firma „Tischlerei Holm“ wurde angelegt\./,
  ])
  await expect(table.getByRole('cell', { name: 'System-Admin' }).first()).toBeVisible()

  const card = page.getByRole('navigation', { name: 'Verwaltung' })
  await card.getByRole('link', { name: /Login & Passwort/ }).click()
  const form = page.getByRole('region', { name: 'Passwort ändern' })
  await form.getByLabel('Aktuelles Passwort').fill(ingrid.password)
  await form.getByLabel('Neues Passwort', { exact: true }).fill('Esche, Buche und Ahorn')
  await form.getByLabel('Neues Passwort wiederholen').fill('Esche, Buche und Ahorn')
  await form.getByRole('button', { name: 'Passwort ändern' }).click()
  await expect(page.getByText('Passwort erfolgreich geändert.')).toBeVisible()
  await page.goto(`${cloud.url}/company-dashboard`)
  await expect(table.getByText('ingrid hat das eigene Passwort geändert.')).toBeVisible()
  await page.getByLabel('Wer', { exact: true }).selectOption('ingrid')
  await expect(table.getByRole('row')).toHaveCount(2)
  await page.getByLabel('Was', { exact: true }).selectOption('Konto gesperrt')
  await expect(page.getByText('Für diese Auswahl gibt es keine Einträge.')).toBeVisible()
  await page.getByRole('button', { name: 'Filter zurücksetzen' }).first().click()
  await page.getByLabel('Was', { exact: true }).selectOption('Personen und Zugänge: alles')
  await expect(table.getByRole('row')).toHaveCount(6)
  await page.getByLabel('Bis', { exact: true }).fill('2020-01-01')
  await expect(page.getByText('Für diese Auswahl gibt es keine Einträge.')).toBeVisible()
  await page.getByLabel('Von', { exact: true }).fill('2020-01-02')
  await expect(page.getByText('Der Anfang liegt nach dem Ende.')).toBeVisible()
})
