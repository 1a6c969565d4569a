/** The system administrator's panel, on the real service. */
import type { Browser, Locator, Page } from '@playwright/test'
import { expectAccessible } from '../support/axe'
import { Cloud, FOUNDER, type Login } from '../support/cloud'
import { judge } from '../support/judge'
import { still } from '../support/look'
import { expect, expectSaid, listenTo, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

const PASSWORD = 'Hobelbank und Leim'

const cloud = new Cloud(false)

test.beforeAll(async () => {
  test.setTimeout(120_000)
  await cloud.start()
})
test.afterAll(() => cloud.stop())

async function fillLogin(page: Page, { company, username, password }: Login) {
  await page.goto(cloud.url)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByLabel('Firmenname').fill(company)
  await page.getByLabel('Benutzername').fill(username)
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Einloggen' }).click()
}

async function openVisitorPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'de-DE', serviceWorkers: 'block' })
  await listenTo(context)
  return context.newPage()
}

/** Takes the sidebar's entry, or the bar's on a phone. */
const open = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Plattform' }).getByRole('link', { name }).click()

const dialog = (page: Page) => page.getByRole('dialog')

async function choose(page: Page, company: string) {
  await page.getByRole('combobox', { name: 'Firma' }).fill(company)
  await page.getByRole('option', { name: company }).click()
}

async function createCompany(page: Page, name: string) {
  await open(page, 'Firma anlegen')
  await page.getByLabel('Firmenname').fill(name)
  await page.getByRole('main').getByRole('button', { name: 'Firma anlegen' }).click()
  await expectSaid(page, `Firma „${name}“ angelegt.`)
}

/** In its dialog, whose answer shows the password until it is put away. */
async function createLogin(page: Page, username: string, tag: string, role = 'Mitarbeiter') {
  await page.getByRole('main').getByRole('button', { name: 'Login anlegen' }).click()
  const form = dialog(page)
  await form.getByLabel('Benutzername').fill(username)
  await form.getByLabel('Passwort', { exact: true }).fill(PASSWORD)
  await form.getByLabel('Tag-ID', { exact: true }).fill(tag)
  await form.getByRole('combobox', { name: 'Rolle' }).click()
  await page.getByRole('option', { name: role, exact: true }).click()
  await form.getByRole('button', { name: 'Login anlegen' }).click()
  const answer = page.getByRole('dialog', { name: `Login für „${username}“ angelegt.` })
  await expect(answer.getByText(PASSWORD)).toBeVisible()
  await answer.getByRole('button', { name: 'Fertig' }).click()
  await expect(dialog(page)).toBeHidden()
}

// The other tests do much of it in a wide window.
test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a founder makes a company and its logins, locks somebody out and lets them in again', async ({
    page,
    browser,
  }) => {
    const company = 'Dachdeckerei'
    const nele = await openVisitorPage(browser)
    await fillLogin(page, FOUNDER)
    await createCompany(page, company)

    await test.step('its modules', async () => {
      await page.getByRole('link', { name: /Module auswählen/ }).click()
      await expect(page.getByRole('combobox', { name: 'Firma' })).toHaveValue(company)
      await page.getByRole('checkbox', { name: 'Fehlerlog' }).uncheck()
      await expect(page.getByText('1 Änderung nicht gespeichert')).toBeVisible()
      await page.getByRole('button', { name: 'Speichern' }).click()
      await expect(page.getByText('Features aktualisiert!')).toBeVisible()
      await page.reload()
      await expect(page.getByRole('checkbox', { name: 'Fehlerlog' })).not.toBeChecked()
      await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(10)
    })

    await test.step('its logins', async () => {
      await open(page, 'Logins verwalten')
      await expect(page.getByText('Noch keine Mitarbeitenden.')).toBeVisible()
      await page.getByRole('button', { name: 'Login anlegen' }).click()
      await dialog(page).getByRole('button', { name: 'Login anlegen' }).click()
      await expect(
        dialog(page).getByText('Bitte Firma wählen und Username/Passwort/Tag-ID ausfüllen.'),
      ).toBeVisible()
      await expect(dialog(page).getByLabel('Benutzername')).toBeFocused()
      await page.keyboard.press('Escape')
      await createLogin(page, 'Nele', '04 a1:b2 c3 d4 e5 f6')
      const employees = page.getByRole('region', { name: 'Mitarbeitende' })
      await expect(employees.getByText('04A1B2C3D4E5F6')).toBeVisible()
    })

    await test.step('who then logs in', async () => {
      await fillLogin(nele, { company, username: 'Nele', password: PASSWORD })
      await expect(nele.getByRole('heading', { name: 'Meine Termine' })).toBeVisible()
      await expect(nele.getByText('Aktualisiert sich von selbst')).toBeVisible()
    })

    await test.step('and is locked out, on the open page as well', async () => {
      await open(page, 'Passwort zurücksetzen')
      await page.getByRole('button', { name: 'Nele sperren' }).click()
      await dialog(page).getByRole('button', { name: 'Sperren', exact: true }).click()
      await expect(nele.getByText('Nicht autorisiert. Bitte neu einloggen.')).toBeVisible()
      await expect(dialog(page).getByText(/^[0-9a-f]{64}$/)).toBeVisible()
      await dialog(page).getByRole('button', { name: 'Fertig' }).click()
      await expect(page.getByText('Account locked (TOS Violation/ Safety)')).toBeVisible()
      await fillLogin(nele, { company, username: 'Nele', password: PASSWORD })
      await expect(nele.getByRole('alert').last()).toHaveText('Account locked (TOS Violation/ Safety)')
    })

    await test.step('and let in again by a reset, to a password of their own', async () => {
      await page.getByRole('button', { name: 'Nele entsperren' }).click()
      await dialog(page).getByRole('button', { name: 'Entsperren', exact: true }).click()
      const password = (await dialog(page).locator('code').textContent()) ?? ''
      await dialog(page).getByRole('button', { name: 'Fertig' }).click()
      await expect(page.getByText('Account locked (TOS Violation/ Safety)')).toBeHidden()
      await expect(page.getByText(/Passwort zurückgesetzt, gilt bis/)).toBeVisible()
      await fillLogin(nele, { company, username: 'Nele', password })
      await nele.getByLabel('Neues Passwort', { exact: true }).fill(`${PASSWORD}!`)
      await nele.getByLabel(/wiederholen|bestätigen/i).fill(`${PASSWORD}!`)
      await nele.keyboard.press('Enter')
      await expect(nele.getByRole('heading', { name: 'Meine Termine' })).toBeVisible()
    })

    await test.step('all at once', async () => {
      await page.getByRole('button', { name: 'Alle zurücksetzen …' }).click()
      await dialog(page).getByRole('button', { name: 'Alle zurücksetzen' }).click()
      await expect(dialog(page).getByRole('row', { name: /Nele/ })).toBeVisible()
      await page.keyboard.press('Escape')
      await page.evaluate(() => history.back())
      await expect(page).toHaveURL(/tab=passwords/)
      await expect(dialog(page).getByRole('row', { name: /Nele/ })).toBeVisible()
      await dialog(page).getByRole('button', { name: 'Liste gesichert, schließen' }).click()
    })

    await test.step('and the company goes', async () => {
      await open(page, 'Firmen verwalten')
      await page.getByRole('button', { name: 'Firma löschen …' }).click()
      await page.getByRole('button', { name: 'Endgültig löschen' }).click()
      await expect(page.getByText('Das ist nicht der Name der Firma.')).toBeVisible()
      await page.getByLabel(`Zum Bestätigen „${company}“ eingeben`).fill(company)
      await page.getByRole('button', { name: 'Endgültig löschen' }).click()
      await expectSaid(page, `Firma „${company}“ gelöscht.`)
      await expect(page).toHaveURL(`${cloud.url}/admin?tab=companies`)
      await expect(page.getByRole('combobox', { name: 'Firma' })).toHaveValue('')
    })
    await nele.context().close()
  })
})

test('a plain system administrator sees no other, and offers nobody that role', async ({ page, browser }) => {
  await cloud.enter(page, FOUNDER, '/admin')
  await open(page, 'Logins verwalten')
  await choose(page, FOUNDER.company)
  await createLogin(page, 'Bela', '04FFFFFFFFFF01', 'System-Admin')
  const admins = page.getByRole('region', { name: 'System-Admins' })
  await expect(admins.getByRole('rowheader')).toHaveCount(2)
  await expect(admins.getByText('Dieser Nutzer kann nicht bearbeitet werden (FOUNDER).')).toBeVisible()

  const bela = await openVisitorPage(browser)
  await cloud.enter(bela, { company: FOUNDER.company, username: 'Bela', password: PASSWORD }, '/admin')
  await open(bela, 'Logins verwalten')
  await choose(bela, FOUNDER.company)
  await expect(bela.getByRole('row').filter({ hasText: 'Das bist du' })).toBeVisible()
  await expect(bela.getByText(FOUNDER.username, { exact: true })).toBeHidden()
  await bela.getByRole('button', { name: 'Login anlegen' }).click()
  await dialog(bela).getByRole('combobox', { name: 'Rolle' }).click()
  await expect(bela.getByRole('option')).toHaveText(['Mitarbeiter', 'Firmen-Admin'])
  await bela.keyboard.press('Escape')
  await bela.keyboard.press('Escape')
  await expect(bela.getByRole('button', { name: 'Bela löschen' })).toBeHidden()
  await open(bela, 'Passwort zurücksetzen')
  await expect(bela.getByText('Das bist du')).toBeVisible()
  await expect(bela.getByRole('main').getByRole('button', { name: /Bela/ })).toBeHidden()
  await bela.context().close()
})

/** Presses Tab until the element has the focus: users without a mouse must reach it. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible()
  for (let step = 0; step < 80; step += 1) {
    if (await target.evaluate(it => it === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('the focus never came there')
}

test('by keyboard alone: a company, a login, its change and its end', async ({ page }) => {
  const type = async (label: string, text: string) => {
    await tabTo(page, page.getByLabel(label, { exact: true }))
    await page.keyboard.type(text)
  }
  const press = async (name: string) => {
    await tabTo(page, page.getByRole('button', { name, exact: true }))
    await page.keyboard.press('Enter')
  }
  await cloud.enter(page, FOUNDER, '/admin')
  await type('Firmenname', 'Tastenwerk')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Wie es weitergeht' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Firma' })).toHaveValue('Tastenwerk')
  await press('Login anlegen')
  await expect(dialog(page).getByLabel('Benutzername')).toBeFocused()
  await page.keyboard.type('Kim')
  await press('Erzeugen')
  await type('Tag-ID', '04aabbccddee01')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Login für „Kim“ angelegt.' })).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Fertig' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Login anlegen' })).toBeFocused()

  await press('Kim bearbeiten')
  await expect(dialog(page).getByLabel('Benutzername')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Kim Berger')
  await page.keyboard.press('Enter')
  await expectSaid(page, '„Kim Berger“ gespeichert.')
  await expect(page.getByRole('button', { name: 'Kim Berger bearbeiten' })).toBeFocused()
  await press('Kim Berger löschen')
  await expect(dialog(page).getByRole('button', { name: 'Abbrechen' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Kim Berger löschen' })).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, dialog(page).getByRole('button', { name: 'Login löschen' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Noch keine Mitarbeitenden.')).toBeVisible()

  await tabTo(page, page.getByRole('combobox', { name: 'Firma' }))
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'Tastenwerk' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('holm')
  await expect(page.getByRole('option')).toHaveText(['Tischlerei Holm'])
  await expect(page.getByRole('option')).toHaveAttribute('data-combobox-selected')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Firma' })).toHaveValue('Tischlerei Holm')
})

test('every dialog in every look, and what is said where a list is not to be had', async ({ page }) => {
  const lookInside = (what: string) => judge(page, `admin-${what}`, () => expect(dialog(page)).toBeVisible())
  const name = 'Prüfstand'
  await cloud.enter(page, FOUNDER, '/admin')
  await createCompany(page, name)
  await page.getByRole('link', { name: /Module auswählen/ }).click()
  await page.getByRole('checkbox', { name: 'Fehlerlog' }).uncheck()
  await page.getByRole('combobox', { name: 'Firma' }).click()
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Firma löschen …' }).click()
  await lookInside('delete company')
  await page.keyboard.press('Escape')

  await open(page, 'Logins verwalten')
  await lookInside('ticks that are not saved')
  await dialog(page).getByRole('button', { name: 'Verwerfen' }).click()
  await page.getByRole('button', { name: 'Login anlegen' }).click()
  await dialog(page).getByRole('button', { name: 'Login anlegen' }).click()
  await lookInside('an incomplete login')
  await dialog(page).getByRole('combobox', { name: 'Rolle' }).click()
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await createLogin(page, 'Nele', '04A1B2C3D4E5F6')
  await createLogin(page, 'Ingrid', '04A1B2C3D4E5F7', 'Firmen-Admin')
  await page.getByRole('button', { name: 'Nele bearbeiten' }).click()
  await page.getByRole('textbox', { name: 'Chip gilt ab: Tag' }).click()
  await judge(page, 'admin-calendar', async size => {
    await expect(page.getByRole('button', { name: 'Vorheriger Monat' })).toBeVisible()
    await still(page)
    // It is next to the dialog.
    if (size !== 'small') await expectAccessible(page, 'calendar', '.mantine-DateInput-calendarHeader')
  })
  await page.keyboard.press('Escape')
  await page.getByLabel('Benutzername').fill('Nele B.')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Nicht gespeicherte Änderungen' })
  await expect(question).toBeVisible()
  await page.getByRole('button', { name: 'Verwerfen' }).click()
  await page.getByRole('button', { name: 'Nele löschen' }).click()
  await lookInside('delete login')
  await page.keyboard.press('Escape')

  await open(page, 'Passwort zurücksetzen')
  await page.getByRole('button', { name: 'Nele sperren' }).click()
  await lookInside('lock?')
  await dialog(page).getByRole('button', { name: 'Sperren', exact: true }).click()
  await expect(dialog(page).locator('code')).toBeVisible()
  await lookInside('locked')
  await dialog(page).getByRole('button', { name: 'Fertig' }).click()
  await page.getByRole('button', { name: 'Passwort von Ingrid zurücksetzen' }).click()
  await dialog(page).getByRole('button', { name: 'Zurücksetzen', exact: true }).click()
  await expect(dialog(page).locator('code')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Fertig' }).click()
  await page.getByRole('button', { name: 'Alle zurücksetzen …' }).click()
  await dialog(page).getByRole('button', { name: 'Alle zurücksetzen' }).click()
  await expect(dialog(page).getByRole('table')).toBeVisible()
  await lookInside('new passwords')
  await dialog(page).getByRole('button', { name: 'Liste gesichert, schließen' }).click()

  const failing = (url: RegExp) => page.route(url, route => route.fulfill({ status: 500, body: '' }))
  await failing(/\/users$/)
  await page.reload()
  await expect(page.getByText('Nutzerliste konnte nicht geladen werden.')).toBeVisible()
  await failing(/\/api\/companies$/)
  await page.reload()
  await expect(page.getByText('Firmenliste konnte nicht geladen werden.')).toBeVisible()
})
