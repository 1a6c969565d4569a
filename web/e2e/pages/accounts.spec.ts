/** Every step of the login, the user's login data and the audit log are accessible and fit every window. */
import { CODES, layOutAccount, layOutCompany, layOutPassword, layOutStep } from '../support/accounts'
import { judge } from '../support/judge'
import { enter, expect, fillIn, pick, stopTheClock, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

test('every step of the login', async ({ page, service }) => {
  const dialog = page.getByRole('dialog')
  const begin = async (next: string) => {
    layOutStep(service, next, 'm…@holm.example')
    await page.goto(service.url)
    await page.getByRole('button', { name: 'Login' }).click()
    await fillIn(page, 'mia')
  }
  await page.goto(service.url)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('button', { name: 'Einloggen' }).click()
  await expect(page.getByText('Bitte ausfüllen.')).toHaveCount(3)
  await fillIn(page, 'nobody')
  await expect(dialog.getByRole('alert')).toBeVisible()
  await judge(page, 'login-refused')
  await begin('email_input')
  await expect(page.getByLabel('E-Mail-Adresse')).toBeFocused()
  await judge(page, 'login-email-input')
  await begin('email_otp')
  await expect(dialog.getByText(/m…@holm/)).toBeVisible()
  await judge(page, 'login-email-otp')
  await page.getByLabel('6-stelliger E-Mail-Code').fill('123456')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toBeVisible()
  await begin('totp')
  await expect(page.getByLabel('6-stelliger App-Code')).toBeFocused()
  await judge(page, 'login-totp')
  await dialog.getByRole('button', { name: 'Wiederherstellungscode verwenden' }).click()
  await judge(page, 'login-recovery')
  await begin('password_change')
  await dialog.getByRole('button', { name: 'Passwort speichern' }).click()
  await expect(dialog.getByText('Bitte alle Felder ausfüllen.')).toBeVisible()
  await judge(page, 'login-password-change')
})

test('the own login data', async ({ page, service }) => {
  await stopTheClock(page)
  layOutAccount(service)
  await enter(page, `${service.url}/dashboard?tab=login`)
  await expect(page.getByText('Chrome auf Android')).toBeVisible()
  await page.getByRole('button', { name: 'Passwort ändern' }).click()
  await expect(page.getByText('Bitte alle Felder ausfüllen.')).toBeVisible()
  const setUp = () => page.getByRole('button', { name: 'Authenticator einrichten' }).click()
  layOutPassword(service, 403, 'password_needed')
  await setUp()
  await expect(page.getByLabel('Dein Passwort')).toBeFocused()
  await judge(page, 'account-password')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Bitte dein Passwort eingeben.')).toBeVisible()
  for (const [status, sentence] of [
    [422, 'Das aktuelle Passwort ist falsch.'],
    [429, 'Zu viele Versuche. Bitte später erneut versuchen.'],
  ] as const) {
    layOutPassword(service, status, 'refused', sentence)
    await page.getByLabel('Dein Passwort').fill('falsch')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText(sentence)
  }
  await page.route('**/api/auth/2fa/setup/start', route => route.abort())
  await page.getByLabel('Dein Passwort').press('Enter')
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Server nicht erreichbar.')
  await page.unroute('**/api/auth/2fa/setup/start')
  layOutAccount(service)
  await page.getByLabel('Dein Passwort').press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('img', { name: /QR-Code/ })).toBeVisible()
  await judge(page, 'account-setup')
  await page.getByLabel('6-stelliger App-Code').fill('123456')
  layOutAccount(service, true, 2)
  await page.getByRole('button', { name: 'Aktivieren' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  const linesOf = (codes: Element[]) =>
    codes.map(code => {
      const text = document.createRange()
      text.selectNodeContents(code)
      return text.getClientRects().length
    })
  // Every code has a line of its own and is not cut.
  await judge(page, 'account-codes', async () => {
    const codes = page.getByRole('dialog').getByText(/^k7qp-/)
    await expect.poll(() => codes.evaluateAll(linesOf)).toEqual(CODES.map(() => 1))
  })
  await page.getByLabel('Ich habe sie gesichert').check()
  await page.getByRole('button', { name: 'Fertig' }).click()
  await page.getByRole('button', { name: 'Authenticator deaktivieren' }).click()
  await judge(page, 'account-disable')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Überall abmelden' }).click()
  await judge(page, 'account-everywhere')
  await page.keyboard.press('Escape')
  service.answers.set('GET /api/auth/2fa/status', { status: 500, body: {} })
  service.answers.set('GET /api/auth/sessions', { status: 500, body: {} })
  await page.reload()
  await expect(page.getByText('Status konnte nicht geladen werden.')).toBeVisible()
})

test('the company’s hub and its log', async ({ page, service }) => {
  await stopTheClock(page)
  layOutAccount(service)
  layOutCompany(service)
  await enter(page, `${service.url}/company-dashboard?tab=audit`, 'chef')
  await expect(page.getByText('Die Rolle von Mia Sommer wurde geändert.')).toBeVisible()
  layOutCompany(service, [])
  await pick(page, 'Was', 'Rolle geändert')
  await expect(page.getByText('Für diese Auswahl gibt es keine Einträge.')).toBeVisible()
  service.answers.set('GET /api/companies/c-1/features', { status: 500, body: {} })
  await page.goto(`${service.url}/company-dashboard`)
  await expect(page.getByRole('heading', { name: 'Login & Passwort' })).toBeVisible()
})
