/** Every step of the login, the own login data and the audit log, as they stand: accessible, and fitting every window. */
import { CODES, layOutAccount, layOutCompany, layOutPassword, layOutStep } from '../support/accounts'
import { judging } from '../support/judge'
import { LOOKS } from '../support/look'
import { expect, fillIn, logIn, pick, stopTheClock, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

for (const view of LOOKS) {
  const { size, viewport, colorScheme } = view
  test.describe(`${colorScheme} on a ${size}`, () => {
    test.use({ colorScheme, viewport })

    const judge = judging(view)

    test('every step of the login', async ({ page, service }) => {
      const dialog = page.getByRole('dialog')
      const begin = async (next: string) => {
        layOutStep(service, next, 'm…@holm.example')
        await page.goto(service.url)
        await page.getByRole('button', { name: 'Login' }).click()
        await fillIn(page, 'mia')
      }
      await begin('email_input')
      await expect(page.getByLabel('E-Mail-Adresse')).toBeFocused()
      await judge(page, 'login-email-input')
      await begin('email_otp')
      await expect(dialog.getByText(/m…@holm/)).toBeVisible()
      await judge(page, 'login-email-otp')
      await page.getByLabel('6-stelliger E-Mail-Code').fill('123456')
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('alert')).toBeVisible()
      await judge(page, 'login-email-otp-wrong')
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
      await logIn(page, service.url)
      await expect(page.getByRole('heading', { name: 'Meine Termine' })).toBeVisible()
      await page.goto(`${service.url}/dashboard?tab=login`)
      await expect(page.getByText('Chrome auf Android')).toBeVisible()
      await judge(page, 'account')
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
        await judge(page, `account-password-${status}`)
      }
      await page.route('**/api/auth/2fa/setup/start', route => route.abort())
      await page.getByLabel('Dein Passwort').press('Enter')
      await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Server nicht erreichbar.')
      await judge(page, 'account-password-offline')
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
      const lines = await page
        .getByRole('dialog')
        .getByText(/^k7qp-/)
        .evaluateAll(codes =>
          codes.map(code => {
            const text = document.createRange()
            text.selectNodeContents(code)
            return text.getClientRects().length
          }),
        )
      expect(lines).toEqual(CODES.map(() => 1))
      await judge(page, 'account-codes')
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
      await judge(page, 'account-failed')
    })

    test('the company’s hub and its log', async ({ page, service }) => {
      await stopTheClock(page)
      layOutAccount(service)
      layOutCompany(service)
      await logIn(page, service.url, 'chef')
      await expect(page.getByText('Die Rolle von Mia Sommer wurde geändert.')).toBeVisible()
      await judge(page, 'audit')
      layOutCompany(service, [])
      await pick(page, 'Was', 'Rolle geändert')
      await expect(page.getByText('Für diese Auswahl gibt es keine Einträge.')).toBeVisible()
      await judge(page, 'audit-empty')
      service.answers.set('GET /api/companies/c-1/features', { status: 500, body: {} })
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Login & Passwort' })).toBeVisible()
      await judge(page, 'company-failed')
    })
  })
}
