import { expectAccessible } from '../support/axe'
import { november } from '../support/entries'
import { AXE_LOOKS, still } from '../support/look'
import { expect, fillIn, logInToTimes, stopTheClock, test, toThisMonth } from '../support/test'

test.use({ serviceWorkers: 'block' })

const PUBLIC = [
  '/',
  '/produkte',
  '/services',
  '/newsletter',
  '/shop',
  '/ueber-uns',
  '/kontakt',
  '/impressum',
  '/datenschutz',
]

for (const { size, viewport, colorScheme } of AXE_LOOKS) {
  test.describe(`${colorScheme} on a ${size}`, () => {
    test.use({ colorScheme, viewport })

    test('the public pages and the login', async ({ page, service }) => {
      for (const path of PUBLIC) {
        await page.goto(service.url + path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expectAccessible(page, path)
      }
      await page.goto(service.url)
      await page.getByRole('button', { name: 'Login' }).click()
      await page.getByRole('button', { name: 'Einloggen' }).click()
      await expect(page.getByText('Bitte ausfüllen.')).toHaveCount(3)
      await still(page)
      await expectAccessible(page, 'login with empty fields')
      await fillIn(page, 'nobody')
      await expect(page.getByRole('alert')).toBeVisible()
      await still(page)
      await expectAccessible(page, 'login with an error')
    })

    test('Meine Zeiten in all its states', async ({ page, service }) => {
      service.entries = november()
      await stopTheClock(page)
      await logInToTimes(page, service.url)
      await expect(page.getByRole('region', { name: 'Monatssumme' })).toBeVisible()
      await still(page)
      await expectAccessible(page, 'a month')
      await page.getByRole('button', { name: /November 2026/ }).click()
      await expect(page.getByRole('group')).toBeVisible()
      await still(page)
      await expectAccessible(page, 'the month picker')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Vorheriger Monat' }).click()
      await expect(page.getByText('Im Oktober 2026 hast du')).toBeVisible()
      await still(page)
      await expectAccessible(page, 'an empty month')
      service.refuseTimes = 500
      await page.getByRole('button', { name: 'Vorheriger Monat' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
      await still(page)
      await expectAccessible(page, 'an error')
      service.refuseTimes = 0
      service.slowTimes = 60_000
      await page.getByRole('button', { name: 'Vorheriger Monat' }).click()
      await expect(page.getByText('Wird geladen …')).toBeAttached()
      await expectAccessible(page, 'a skeleton')
      service.slowTimes = 0
      await toThisMonth(page)
      await service.stop()
      await page.getByRole('button', { name: 'Aktualisieren' }).click()
      await expect(page.getByText('Keine Verbindung zum Server.')).toBeVisible()
      await still(page)
      await expectAccessible(page, 'offline')
    })
  })
}
