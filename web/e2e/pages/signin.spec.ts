/** Every way through the login, on the real service with a real mailbox. */
import type { Page } from '@playwright/test'
import { Cloud, type Person } from '../support/cloud'
import { expect, expectSaid, fillIn, test } from '../support/test'
import { appCode } from '../support/totp'

test.use({ serviceWorkers: 'block' })

const cloud = new Cloud()

test.beforeAll(async () => {
  test.setTimeout(120_000)
  await cloud.start()
})
test.afterAll(() => cloud.stop())

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Login' })
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
const inside = (page: Page) => expect(page).toHaveURL(/dashboard/)
const addressOf = ({ username }: Person) => `${username}@holm.example`

async function begin(page: Page, person: Person, password = person.password) {
  await page.goto(cloud.url)
  await beginHere(page, person, password)
}

/** On the page that a logout has led to. */
async function beginHere(page: Page, person: Person, password = person.password) {
  await page.getByRole('button', { name: 'Login' }).click()
  await fillIn(page, person.username, password)
}

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL(`${cloud.url}/`)
}

async function confirm(page: Page, label: string, code: string, remember = true) {
  await page.getByLabel('Dieses Gerät 30 Tage merken').setChecked(remember)
  await page.getByLabel(label).fill(code)
  await page.getByLabel(label).press('Enter')
}

const byMail = async (page: Page, person: Person, remember = true) =>
  confirm(page, '6-stelliger E-Mail-Code', await cloud.codeFor(addressOf(person)), remember)

/** The first login of all: it links the address. */
async function enter(page: Page, person: Person, remember = true) {
  await begin(page, person)
  await page.getByLabel('E-Mail-Adresse').fill(addressOf(person))
  await press(page, 'Code senden')
  await byMail(page, person, remember)
  await inside(page)
}

test('the first login links an address; the device is remembered; another browser gets one code', async ({
  page,
  browser,
}) => {
  const mia = await cloud.person('mia')
  await begin(page, mia)
  await expect(page.getByLabel('E-Mail-Adresse')).toBeFocused()
  await page.getByLabel('E-Mail-Adresse').fill(addressOf(mia))
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('status')).toContainText(addressOf(mia))
  await expect(page.getByLabel('6-stelliger E-Mail-Code')).toBeFocused()
  const code = await cloud.codeFor(addressOf(mia))
  await page.getByLabel('6-stelliger E-Mail-Code').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  await expect(page.getByLabel('6-stelliger E-Mail-Code')).toHaveValue(code)
  await press(page, 'Bestätigen')
  await inside(page)

  await logOut(page)
  await beginHere(page, mia)
  await inside(page)
  expect(await cloud.mailsTo(addressOf(mia))).toBe(1)

  const otherPage = await (await browser.newContext()).newPage()
  await begin(otherPage, mia)
  await expect(dialog(otherPage).getByRole('status')).toContainText(/an m…@holm\.example geschickt/)
  await byMail(otherPage, mia, false)
  await inside(otherPage)
  expect(await cloud.mailsTo(addressOf(mia))).toBe(2)
  await logOut(otherPage)
  await beginHere(otherPage, mia)
  await expect(otherPage.getByLabel('6-stelliger E-Mail-Code')).toBeVisible()
  await otherPage.context().close()
})

test('a wrong address and a wrong code are refused in the box, and nobody gets a second mail at once', async ({
  page,
}) => {
  const jan = await cloud.person('jan')
  await begin(page, jan)
  await page.getByLabel('E-Mail-Adresse').fill('jan')
  await press(page, 'Code senden')
  await expect(dialog(page).getByRole('alert')).toContainText('E-Mail')
  await page.getByLabel('E-Mail-Adresse').fill(addressOf(jan))
  await press(page, 'Code senden')
  const right = await cloud.codeFor(addressOf(jan))
  const wrong = right === '000000' ? '000001' : '000000'
  await confirm(page, '6-stelliger E-Mail-Code', wrong)
  await expect(dialog(page).getByRole('alert')).toHaveText('Code ungültig oder abgelaufen')
  await expect(page.getByLabel('6-stelliger E-Mail-Code')).toBeFocused()
  await expect(dialog(page).getByRole('button', { name: /Code erneut senden \(in \d+ s\)/ })).toBeDisabled()
  await confirm(page, '6-stelliger E-Mail-Code', right)
  await inside(page)
})

test('Back, Escape, the overlay and the button lead out of a step', async ({ page }) => {
  const ole = await cloud.person('ole')
  await begin(page, ole)
  await page.getByLabel('E-Mail-Adresse').fill('falsch@holm.example')
  await press(page, 'Code senden')
  await press(page, 'Andere Adresse')
  await expect(page.getByLabel('E-Mail-Adresse')).toHaveValue('falsch@holm.example')
  await press(page, 'Zurück')
  await expect(page.getByLabel('Firmenname')).toBeFocused()
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(20, 400),
    () => press(page, 'Schließen'),
  ]) {
    await begin(page, ole)
    await expect(page.getByLabel('E-Mail-Adresse')).toBeVisible()
    await leave()
    await expect(dialog(page)).toBeHidden()
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByLabel('Firmenname')).toHaveValue('')
    await page.keyboard.press('Escape')
  }
})

test('an authenticator is set up on the page, opens the login, and is taken away again', async ({ page }) => {
  const eva = await cloud.person('eva')
  await enter(page, eva, false)
  await page.getByRole('link', { name: 'Login & Passwort' }).click()
  const card = page.getByRole('region', { name: 'Authenticator-App' })
  await card.getByRole('button', { name: 'Authenticator einrichten' }).click()
  const picture = card.getByRole('img', { name: /QR-Code/ })
  await expect.poll(() => picture.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(100)
  const secret = (await card.locator('code').textContent()) ?? ''
  await card.getByRole('button', { name: 'Aktivieren' }).click()
  await expect(card.getByText('Bitte 6-stelligen App-Code eingeben.')).toBeVisible()
  await card.getByLabel('6-stelliger App-Code').fill(appCode(secret, -5))
  await card.getByRole('button', { name: 'Aktivieren' }).click()
  await expect(card.getByText('Code ungültig.')).toHaveCount(1)
  await card.getByLabel('6-stelliger App-Code').fill(appCode(secret))
  await card.getByRole('button', { name: 'Aktivieren' }).click()

  const codes = page.getByRole('dialog', { name: 'Deine Wiederherstellungscodes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  const [first = '', second = '', third = ''] = await codes.getByRole('listitem').allTextContents()
  await page.keyboard.press('Escape')
  await expect(codes.getByText('Authenticator erfolgreich aktiviert.')).toBeVisible()
  await codes.getByRole('button', { name: 'Fertig' }).click()
  await expect(codes.getByText('Bitte bestätige erst, dass du sie gesichert hast.')).toBeVisible()
  const download = page.waitForEvent('download')
  await codes.getByRole('button', { name: 'Herunterladen' }).click()
  expect((await download).suggestedFilename()).toBe('stempelwerk-wiederherstellungscodes.txt')
  await codes.getByLabel('Ich habe sie gesichert').check()
  await codes.getByRole('button', { name: 'Fertig' }).click()
  await expect(codes).toBeHidden()
  await expect(card.getByText('Du hast noch 10 Wiederherstellungscodes.')).toBeVisible()

  await logOut(page)
  await beginHere(page, eva)
  await expect(page.getByLabel('6-stelliger App-Code')).toBeFocused()
  await confirm(page, '6-stelliger App-Code', appCode(secret, -5), false)
  await expect(dialog(page).getByRole('alert')).toHaveText('Code ungültig')
  await confirm(page, '6-stelliger App-Code', appCode(secret, 1), false)
  await inside(page)

  await logOut(page)
  await beginHere(page, eva)
  await press(page, 'Wiederherstellungscode verwenden')
  await confirm(page, 'Wiederherstellungscode', first, false)
  await inside(page)
  await logOut(page)
  await beginHere(page, eva)
  await press(page, 'Wiederherstellungscode verwenden')
  await confirm(page, 'Wiederherstellungscode', first, false)
  await expect(dialog(page).getByRole('alert')).toHaveText('Code ungültig')
  await confirm(page, 'Wiederherstellungscode', second, false)
  await inside(page)

  await page.getByRole('link', { name: 'Login & Passwort' }).click()
  await expect(card.getByText('Du hast noch 8 Wiederherstellungscodes.')).toBeVisible()
  await card.getByRole('button', { name: 'Authenticator deaktivieren' }).click()
  const sure = page.getByRole('dialog', { name: 'Authenticator deaktivieren' })
  await sure.getByRole('button', { name: 'Deaktivieren' }).click()
  await expect(sure.getByText('Bitte 6-stelligen App-Code eingeben.')).toBeVisible()
  await sure.getByLabel('App-Code oder Wiederherstellungscode').fill(first)
  await sure.getByRole('button', { name: 'Deaktivieren' }).click()
  await expect(sure.getByText('Code ungültig.')).toBeVisible()
  await sure.getByLabel('App-Code oder Wiederherstellungscode').fill(third)
  await sure.getByRole('button', { name: 'Deaktivieren' }).click()
  await expectSaid(page, 'Authenticator deaktiviert.')
  await logOut(page)
  await beginHere(page, eva)
  await expect(page.getByLabel('6-stelliger E-Mail-Code')).toBeVisible()
})

test('a reset password asks for another one, then for the second factor', async ({ page }) => {
  const kim = await cloud.person('kim')
  const temporaryPassword = await cloud.resetPassword(kim)
  await begin(page, kim)
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  await begin(page, kim, temporaryPassword)
  await expect(page.getByLabel('Neues Passwort', { exact: true })).toBeFocused()
  await page.getByLabel('Neues Passwort', { exact: true }).fill('kurz')
  await page.getByLabel('Neues Passwort wiederholen').fill('kurz')
  await press(page, 'Passwort speichern')
  await expect(dialog(page).getByRole('alert')).toHaveText('Das Passwort muss mindestens 8 Zeichen haben.')
  const ownPassword = 'Kim hobelt am liebsten Esche'
  await page.getByLabel('Neues Passwort', { exact: true }).fill(ownPassword)
  await page.getByLabel('Neues Passwort wiederholen').fill(ownPassword)
  await press(page, 'Passwort speichern')
  await page.getByLabel('E-Mail-Adresse').fill(addressOf(kim))
  await press(page, 'Code senden')
  await byMail(page, kim)
  await inside(page)
  await logOut(page)
  await beginHere(page, kim, ownPassword)
  await inside(page)
})

test('a locked account says so, ends its open pages at once, and says why they ended', async ({
  page,
  browser,
}) => {
  const tom = await cloud.person('tom')
  await enter(page, tom)
  await expect(page.getByText('Aktualisiert sich von selbst')).toBeVisible()
  await cloud.lock(tom)
  await expect(page.getByText('Deine Sitzung ist beendet.')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('Nicht autorisiert. Bitte neu einloggen.')
  const otherPage = await (await browser.newContext()).newPage()
  await begin(otherPage, tom)
  await expect(dialog(otherPage).getByRole('alert')).toHaveText('Account locked (TOS Violation/ Safety)')
  await otherPage.context().close()
})

test('"Überall abmelden" ends the other browser, and no device is remembered', async ({ page, browser }) => {
  const ida = await cloud.person('ida')
  await enter(page, ida)
  const otherPage = await (await browser.newContext()).newPage()
  await begin(otherPage, ida)
  await byMail(otherPage, ida)
  await inside(otherPage)
  await expect(otherPage.getByText('Aktualisiert sich von selbst')).toBeVisible()

  await page.getByRole('link', { name: 'Login & Passwort' }).click()
  const sessions = page.getByRole('region', { name: 'Angemeldete Geräte' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(sessions.getByRole('listitem').first()).toContainText('diese Sitzung')
  await sessions.getByRole('button', { name: 'Überall abmelden' }).click()
  const sure = page.getByRole('dialog', { name: 'Überall abmelden?' })
  await sure.getByRole('button', { name: 'Abbrechen' }).click()
  await expect(sure).toBeHidden()
  await sessions.getByRole('button', { name: 'Überall abmelden' }).click()
  await sure.getByRole('button', { name: 'Überall abmelden' }).click()
  await expect(page).toHaveURL(`${cloud.url}/`)
  await expectSaid(page, 'Du bist jetzt auf allen Geräten abgemeldet.')
  await expect(otherPage.getByText('Deine Sitzung ist beendet.')).toBeVisible()
  await begin(page, ida)
  await expect(page.getByLabel('6-stelliger E-Mail-Code')).toBeVisible()
  await otherPage.context().close()
})

test('one session is ended alone; a new password ends all others and leaves this one', async ({
  page,
  browser,
}) => {
  const max = await cloud.person('max')
  await enter(page, max)
  const otherPage = await (await browser.newContext()).newPage()
  await begin(otherPage, max)
  await byMail(otherPage, max)
  await inside(otherPage)
  await page.getByRole('link', { name: 'Login & Passwort' }).click()
  const sessions = page.getByRole('region', { name: 'Angemeldete Geräte' })
  await sessions.getByRole('button', { name: /^Sitzung beenden/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sitzung beenden' }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await expect(otherPage.getByText('Deine Sitzung ist beendet.')).toBeVisible()
  await begin(otherPage, max)
  await inside(otherPage)

  const card = page.getByRole('region', { name: 'Passwort ändern' })
  const fill = async (current: string, next: string, again = next) => {
    await card.getByLabel('Aktuelles Passwort').fill(current)
    await card.getByLabel('Neues Passwort', { exact: true }).fill(next)
    await card.getByLabel('Neues Passwort wiederholen').fill(again)
    await card.getByRole('button', { name: 'Passwort ändern' }).click()
  }
  await fill(max.password, 'eins zwei drei', 'eins zwei vier')
  await expect(card.getByText('Passwörter stimmen nicht überein.')).toBeVisible()
  await expect(card.getByLabel('Neues Passwort wiederholen')).toBeFocused()
  await fill('das alte nicht', 'eins zwei drei')
  await expect(card.getByRole('alert')).toContainText('Fehler beim Ändern.')
  await fill(max.password, 'eins zwei drei')
  await expectSaid(page, 'Passwort erfolgreich geändert.')
  await expect(otherPage.getByText('Deine Sitzung ist beendet.')).toBeVisible()
  await page.reload()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await begin(otherPage, max)
  await expect(dialog(otherPage).getByRole('alert')).toBeVisible()
  await otherPage.context().close()
})
