/** One of a browser's tabs reads the events, and all tabs receive them. */
import type { BrowserContext, Page } from '@playwright/test'
import { entry, november } from '../support/entries'
import type { Service } from '../support/service'
import { enter, expect, holdTime, stopTheClock, TIMES, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

test.beforeEach(async ({ page, service }) => {
  service.entries = november().filter(each => !each.running)
  await stopTheClock(page)
  await enter(page, service.url + TIMES)
  await expect(page.getByText('Aktualisiert sich von selbst')).toBeVisible()
})

async function anotherTab(context: BrowserContext, service: Service): Promise<Page> {
  const page = await context.newPage()
  await stopTheClock(page)
  await page.goto(service.url + TIMES)
  await expect(page.getByText('Aktualisiert sich von selbst')).toBeVisible()
  return page
}

/** An employee stamps, and each page shows it without a reload; where time is stopped, it `passes` meanwhile. */
async function reaches(
  pages: readonly Page[],
  service: Service,
  clockName: string,
  passes = async (_ms: number) => {},
) {
  service.entries.push(entry('2026-11-20', '07:58', null, { running: true, clockName }))
  service.tellUpdate()
  for (const page of pages) await shows(page, clockName, passes)
  service.entries.pop()
}

async function shows(page: Page, clockName: string, passes: (ms: number) => Promise<void>) {
  const running = page.getByRole('region', { name: 'Eingestempelt' })
  await expect
    .poll(async () => {
      await passes(20)
      return (await running.allTextContents()).join()
    })
    .toContain(clockName)
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
  await page.close()
  const second = await context.newPage()
  // Applies to all later tabs; this test decides when their answers come.
  await holdTime(second)
  await second.goto(service.url + TIMES)
  await expect(second.getByText('Aktualisiert sich von selbst')).toBeVisible()
  const third = await context.newPage()
  await third.goto(service.url + TIMES)
  await expect(third.getByText('Aktualisiert sich von selbst')).toBeVisible()
  const look = (state: 'hidden' | 'visible') =>
    second.evaluate(now => {
      Object.defineProperty(document, 'visibilityState', { value: now, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  let hidden = 0
  const pass = async (ms: number) => {
    hidden += ms
    await second.clock.runFor(ms)
  }
  await look('hidden')
  await pass(30_000)
  await reaches([second, third], service, 'Werkstatt', pass)
  await pass(59_999 - hidden)
  expect([service.opened, service.listeners]).toEqual([2, 1])
  await pass(1)
  await expect.poll(() => [service.opened, service.listeners]).toEqual([3, 1])
  await reaches([third], service, 'Lager', pass)
  service.entries.push(entry('2026-11-20', '08:30', null, { running: true, clockName: 'Halle' }))
  await look('visible')
  await shows(second, 'Halle', pass)
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
  for (const each of [page, pages[7] as Page]) {
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
