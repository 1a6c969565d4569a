/** The company's log and the operator's on the real service: each deed has its sentence. */
import { FOUNDER } from '../support/cloud'
import { test } from '../support/installation'
import { expect, expectSaid, pick } from '../support/test'

test.use({ serviceWorkers: 'block' })

test('who did what stands in the log, is found by person, kind and day', async ({ page, cloud }) => {
  const ingrid = await cloud.person('ingrid', 'companyAdmin')
  const mia = await cloud.person('mia')
  await cloud.resetPassword(mia)
  await cloud.lock(mia)
  await cloud.enter(page, ingrid, '/company-dashboard?tab=audit')
  await expect(page.getByRole('heading', { level: 1, name: 'Änderungsprotokoll' })).toBeVisible()
  const log = page.getByRole('table', { name: 'Einträge' })
  const entries = log.getByRole('row').filter({ has: page.getByRole('rowheader') })
  await expect(entries.getByRole('rowheader')).toHaveText([
    'Das Konto von mia wurde gesperrt.',
    'Das Passwort von mia wurde zurückgesetzt.',
    'mia wurde angelegt.',
    'ingrid wurde angelegt.',
    `Firma „${cloud.firm.name}“ wurde angelegt.`,
  ])
  await expect(entries.first()).toContainText('System-Admin')
  await entries
    .nth(2)
    .getByRole('button', { name: /^Einzelheiten/ })
    .click()
  await expect(log).toContainText(/Rolle.*Mitarbeiter.*Tag-ID.*04000000000002/)
  await expect(log.getByRole('button', { name: /Prüfsumme kopieren/ })).toBeVisible()

  const card = page.getByRole('navigation', { name: 'Verwaltung' })
  await card.getByRole('link', { name: /Login & Passwort/ }).click()
  const form = page.getByRole('region', { name: 'Passwort ändern' })
  await form.getByLabel('Aktuelles Passwort').fill(ingrid.password)
  await form.getByLabel('Neues Passwort', { exact: true }).fill('Esche, Buche und Ahorn')
  await form.getByLabel('Neues Passwort wiederholen').fill('Esche, Buche und Ahorn')
  await form.getByRole('button', { name: 'Passwort ändern' }).click()
  await expectSaid(page, 'Passwort erfolgreich geändert.')
  await page.goto(`${cloud.url}/company-dashboard?tab=audit`)
  await expect(entries.first()).toContainText('ingrid hat das eigene Passwort geändert.')
  await pick(page, 'Wer', 'ingrid')
  await expect(entries).toHaveCount(1)
  await pick(page, 'Was', 'Konto gesperrt')
  await expect(page.getByText('Für diese Auswahl gibt es keine Einträge.')).toBeVisible()
  await page.getByRole('button', { name: 'Filter zurücksetzen' }).click()
  await pick(page, 'Was', 'Personen und Zugänge: alles')
  await expect(entries).toHaveCount(5)
  // As Germans write a day, whatever the browser speaks.
  await page.getByRole('textbox', { name: 'Bis' }).fill('1.1.2020')
  await page.keyboard.press('Tab')
  await expect(page.getByText('Für diese Auswahl gibt es keine Einträge.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Von' }).fill('02.01.2020')
  await page.keyboard.press('Tab')
  await expect(page.getByText('Der Anfang liegt nach dem Ende.')).toBeVisible()
})

test('what an operator did in a company stands in the operator log, and is found by its words', async ({
  page,
  cloud,
}) => {
  const mia = await cloud.person('mila')
  await cloud.lock(mia)
  await cloud.enter(page, FOUNDER, '/admin')
  const menu = page.getByRole('navigation', { name: 'Plattform' })
  await menu.getByRole('link', { name: /Betreiberprotokoll/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Betreiberprotokoll' })).toBeVisible()
  const log = page.getByRole('table', { name: 'Einträge' })
  const entries = log.getByRole('row').filter({ has: page.getByRole('rowheader') })
  await expect(log).toContainText('hat sich angemeldet.')
  await page.getByRole('searchbox', { name: 'Suchen' }).fill('gesperrt')
  await expect(entries.first()).toContainText('Das Konto von mila wurde gesperrt.')
  await expect(entries.first()).toContainText(cloud.firm.name)
  await entries
    .first()
    .getByRole('button', { name: /^Einzelheiten/ })
    .press('Enter')
  await expect(log).toContainText('127.0.0.0/24')
  await page.getByRole('searchbox', { name: 'Suchen' }).fill('so etwas gab es nie')
  await expect(page.getByText('Für diese Auswahl gibt es keine Einträge.')).toBeVisible()
  await page.getByRole('button', { name: 'Filter zurücksetzen' }).click()
  await expect(entries.first()).toBeVisible()
})
