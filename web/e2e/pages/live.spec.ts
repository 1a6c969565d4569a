/** Of a browser's tabs one reads the events, and all hear them. */
import type { BrowserContext, Page } from '@playwright/test'
import { entry, NOW, november } from '../support/entries'
import type { Service } from '../support/service'
import { expect, logInToTimes, stopTheClock, TIMES, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

test.beforeEach(async ({ page, service }) => {
  service.entries = november().filter(each => !each.running)
  await stopTheClock(page)
  await logInToTimes(page, service.url)
  await expect(page.getByText('Aktualisiert sich von selbst')).toBeVisible()
})

async function anotherTab(context: BrowserContext, service: Service): Promise<Page> {
  const page = await context.newPage()
  await stopTheClock(page)
  await page.goto(service.url + TIMES)
  await expect(page.getByText('Aktualisiert sich von selbst')).toBeVisible()
  return page
}

/** Somebody stamps, and each of the pages shows it by itself. */
async function reaches(pages: readonly Page[], service: Service, clockName: string) {
  service.entries.push(entry('2026-11-20', '07:58', null, { running: true, clockName }))
  service.tellUpdate()
  for (const page of pages) {
    await expect(page.getByRole('region', { name: 'Eingestempelt' })).toContainText(clockName)
  }
  service.entries.pop()
}

test('two tabs have one connection, and an event reaches both', async ({ page, context, service }) => {
  const second = await anotherTab(context, service)
  await reaches([page, second], service, 'Lager')
  await expect.poll(() => [service.opened, service.listeners]).toEqual([1, 1])
})

test('a tab that is closed while it reads hands over to the next', async ({ page, context, service }) => {
  const [second, third] = [await anotherTab(context, service), await anotherTab(context, service)]
  await page.close()
  await expect.poll(() => service.opened).toBe(2)
  await reaches([second, third], service, 'Lager')
  await second.close()
  await expect.poll(() => service.opened).toBe(3)
  await reaches([third], service, 'Halle')
  await expect.poll(() => service.listeners).toBe(1)
  await expect(third.getByText('Aktualisiert sich von selbst')).toBeVisible()
})

test('a tab that crashes while it reads is followed by the next', async ({ page, context, service }) => {
  const second = await anotherTab(context, service)
  const crashed = page.waitForEvent('crash')
  void page.goto('chrome://crash').catch(() => undefined)
  await crashed
  await expect.poll(() => service.opened).toBe(2)
  await reaches([second], service, 'Lager')
})

test('a tab that goes to another page of the app keeps its connection', async ({ page, service }) => {
  await page.getByRole('button', { name: 'Vorheriger Monat' }).click()
  await page.getByRole('button', { name: 'Nächster Monat' }).click()
  await reaches([page], service, 'Lager')
  expect(service.opened).toBe(1)
})

test('a tab that is hidden for a minute lets another read, and is up to date when it is shown', async ({
  page,
  context,
  service,
}) => {
  const second = await context.newPage()
  await second.clock.install({ time: NOW })
  await second.goto(service.url + TIMES)
  await expect(second.getByText('Aktualisiert sich von selbst')).toBeVisible()
  await page.close()
  await expect.poll(() => service.opened).toBe(2)
  const third = await anotherTab(context, service)
  const look = (state: 'hidden' | 'visible') =>
    second.evaluate(now => {
      Object.defineProperty(document, 'visibilityState', { value: now, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await look('hidden')
  const hidden = performance.now()
  await second.clock.fastForward(30_000)
  await reaches([second, third], service, 'Werkstatt')
  // All tabs' clocks jump together. The last five seconds pass by themselves: were it the third's turn during the jump,
  // its patience with the service would be over before the answer.
  const left = 30_000 - (performance.now() - hidden)
  await second.clock.fastForward(Math.max(0, left - 5_000))
  await expect.poll(() => [service.opened, service.listeners]).toEqual([3, 1])
  await reaches([third], service, 'Lager')
  service.entries.push(entry('2026-11-20', '08:30', null, { running: true, clockName: 'Halle' }))
  await look('visible')
  await expect(second.getByRole('region', { name: 'Eingestempelt' })).toContainText('Halle')
  await expect(second.getByText('Aktualisiert sich von selbst')).toBeVisible()
  await expect.poll(() => [service.opened, service.listeners]).toEqual([3, 1])
})

test('logging out in one tab closes the connection for both', async ({ page, context, service }) => {
  const second = await anotherTab(context, service)
  await second.getByRole('button', { name: 'Logout' }).first().click()
  for (const each of [page, second]) await expect(each).toHaveURL(`${service.url}/`)
  await expect.poll(() => service.listeners).toBe(0)
  expect(service.opened).toBe(1)
})

test('eight tabs still load pages, of a browser that has six connections', async ({
  page,
  context,
  service,
}) => {
  const pages = [page]
  while (pages.length < 8) pages.push(await anotherTab(context, service))
  for (const each of pages) {
    await each.reload()
    await expect(each.getByRole('table', { name: 'Zeiten im November 2026' })).toBeVisible()
  }
  await reaches(pages, service, 'Lager')
  await expect.poll(() => service.listeners).toBe(1)
})

test('the token is in no address', async ({ page, context, service }) => {
  const addresses: string[] = []
  context.on('request', request => addresses.push(request.url()))
  const second = await anotherTab(context, service)
  await page.close()
  await expect.poll(() => service.opened).toBe(2)
  await reaches([second], service, 'Lager')
  expect(addresses.some(address => address.endsWith('/api/events'))).toBe(true)
  expect(addresses.filter(address => address.includes(service.validToken))).toEqual([])
})
