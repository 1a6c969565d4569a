import type { Page } from '@playwright/test'
import { installed, keeps, storedKeys } from '../support/device'
import { entry, NOW, november } from '../support/entries'
import { open } from '../support/public'
import { resting } from '../support/rest'
import { enter, expect, logInToTimes, stopTheClock, TIMES, test } from '../support/test'

test.beforeEach(async ({ page, service }) => {
  service.entries = november()
  await stopTheClock(page)
})

test('the last seen months are readable without the service, with their age', async ({ page, service }) => {
  service.entries.push(entry('2026-10-05', '07:00', '15:00'))
  await enter(page, service.url + TIMES)
  await expect(page.getByRole('table', { name: 'Zeiten im November 2026' })).toBeVisible()
  await page.getByRole('button', { name: 'Vorheriger Monat' }).click()
  await expect(page.getByRole('table', { name: 'Zeiten im Oktober 2026' })).toBeVisible()
  await installed(page)
  await keeps(page, 'times/2026-11', 'times/2026-10')

  await service.stop()
  await page.reload()
  await expect(page.getByRole('table', { name: 'Zeiten im Oktober 2026' })).toContainText('15:00')
  await expect(page.getByText('Keine Verbindung zum Server.')).toBeVisible()
  await expect(page.getByText('Stand vom 20. November, 11:10 Uhr.')).toBeVisible()
  await page.goto(service.url + TIMES)
  await expect(page.getByRole('table', { name: 'Zeiten im November 2026' })).toBeVisible()
  await page.getByRole('button', { name: 'Nächster Monat' }).click()
  await expect(page.getByText('Dieser Monat ist auf diesem Gerät noch nicht gespeichert.')).toBeVisible()

  // The page notices within half a minute.
  await service.restart()
  await expect(page.getByText('Der Dezember 2026 liegt noch vor dir.')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('Keine Verbindung zum Server.')).toBeHidden()
})

test('on a phone whose clock is months ahead the time is the service’s, also without the service', async ({
  page,
  service,
}) => {
  service.clock = () => NOW
  await stopTheClock(page, new Date('2027-02-03T08:00:00Z'))
  await enter(page, service.url + TIMES)
  await expect(page.getByRole('table', { name: 'Zeiten im November 2026' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Eingestempelt' })).toContainText('3h 12m')
  const notice = page.getByRole('status').filter({ hasText: 'Die Uhr dieses Geräts geht etwa 2 Monate vor.' })
  await expect(notice).toContainText('Jetzt ist der 20. November, 11:10 Uhr.')
  await notice.getByRole('button', { name: 'Verstanden' }).click()
  await expect(notice).toBeHidden()
  await installed(page)
  await keeps(page, 'times/2026-11')

  await service.stop()
  await page.reload()
  await expect(page.getByRole('table', { name: 'Zeiten im November 2026' })).toBeVisible()
  await expect(page.getByText('Stand vom 20. November, 11:10 Uhr.')).toBeVisible()
  await expect(notice).toBeHidden()
})

test('logging out leaves no month on the device, also without the service', async ({ page, service }) => {
  await enter(page, service.url + TIMES)
  await expect(page.getByRole('table')).toBeVisible()
  await installed(page)
  await keeps(page, 'times/2026-11')
  await service.stop()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Chip dran. Gestempelt.' })).toBeVisible()
  await expect.poll(() => storedKeys(page)).toEqual([])
  const [left = '', ...others] = await page.evaluate(() => Object.keys(localStorage))
  expect(left).toMatch(/^left\/[0-9a-f]{64}$/)
  expect(others).toEqual([])
  await service.restart()
  await expect.poll(() => page.evaluate(() => localStorage.length), { timeout: 90_000 }).toBe(0)
  expect(service.left).toEqual([left.replace('left/', '')])
})

test('can be installed: manifest, icons and a worker', async ({ page, request, service }) => {
  await page.goto(service.url)
  const path = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = await (await request.get(service.url + path)).json()
  expect(manifest).toMatchObject({
    name: 'Stempelwerk',
    lang: 'de',
    display: 'standalone',
    start_url: '/',
    id: '/',
  })
  for (const icon of manifest.icons as { src: string; sizes: string; type: string }[]) {
    const answer = await request.get(service.url + icon.src)
    expect(answer.status(), icon.src).toBe(200)
    expect(answer.headers()['content-type']).toContain(icon.type)
  }
  expect(manifest.icons.map((icon: { purpose?: string }) => icon.purpose)).toContain('maskable')
  await enter(page, service.url + TIMES)
  await installed(page)
})

test('a visitor is given no worker, and so not the whole app to fetch', async ({ page, service }) => {
  await page.addInitScript(() => {
    const { register } = ServiceWorkerContainer.prototype
    ServiceWorkerContainer.prototype.register = function (...worker) {
      Object.assign(window, { registers: true })
      return register.apply(this, worker)
    }
  })
  const registers = () => page.evaluate(() => 'registers' in window)
  const settle = resting(page)
  await page.goto(service.url)
  await page.keyboard.press('Tab')
  await open(page, service, '/produkte')
  await settle()
  expect(await registers()).toBe(false)
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
  await logInToTimes(page, service.url)
  await installed(page)
  expect(await registers()).toBe(true)
})

test('a new version is offered, and taken when the user agrees', async ({ page, service }) => {
  await enter(page, service.url + TIMES)
  await installed(page)
  await expect(page.getByText('Eine neue Version ist da.')).toBeHidden()
  service.workerRevision = '// the next version\n'
  await page.reload()
  await expect(page.getByText('Eine neue Version ist da.')).toBeVisible()
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Jetzt aktualisieren' }).click()
  await reloaded
  await expect(page.getByRole('heading', { name: 'Meine Zeiten', level: 1 })).toBeVisible()
  await expect(page.getByText('Eine neue Version ist da.')).toBeHidden()
})

/** The parts that the worker keeps, by the names of their sources. */
const keptParts = (page: Page) =>
  page.evaluate(async () => {
    const parts = []
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) {
        parts.push(/\/assets\/(\w+)-[\w-]+\.js/.exec(url)?.[1] ?? '')
      }
    }
    return parts
  })

test('what only administrators open is kept for who has opened it, and fetched by nobody else', async ({
  page,
  service,
}) => {
  await enter(page, service.url + TIMES)
  await installed(page)
  const office = [
    'AuditPage',
    'LoginsPage',
    'ResetPage',
    'CreateCompanyPage',
    'ManageCompaniesPage',
    'InquiriesPage',
  ]
  const cachedParts = await keptParts(page)
  expect(cachedParts).toEqual(
    expect.arrayContaining(['MyTimes', 'MyAbsences', 'MessagesPage', 'AccountPage', 'LoginDialog']),
  )
  expect(cachedParts.filter(name => office.includes(name))).toEqual([])
  await enter(page, `${service.url}/admin`, 'root')
  await expect.poll(() => keptParts(page)).toContain('CreateCompanyPage')
  await service.stop()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Firma anlegen' })).toBeVisible()
})
