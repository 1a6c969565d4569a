/** A page that is open during an update of the service: parts that it has not fetched are gone, in every tab. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Route } from '@playwright/test'
import { installed } from '../support/device'
import { november } from '../support/entries'
import { DIST } from '../support/files'
import { resting } from '../support/rest'
import { enter, expect, stopTheClock, TIMES, test } from '../support/test'

const READY = 'Eine neue Version ist da.'
const INDEX = readFileSync(join(DIST, 'app', 'index.html'), 'utf8')

/** From now on the service has only another version's parts. */
const update = (page: Page, as: { status: number; contentType: string; body: string }) =>
  page.route('**/assets/*', route => route.fulfill(as))

/** The page is there, with all that it fetches by itself. */
async function stand(page: Page, url: string) {
  const settle = resting(page)
  await page.goto(url)
  await settle()
}

const login = (page: Page) => page.getByRole('button', { name: 'Login' }).click()

test.describe('without a worker', () => {
  test.use({ serviceWorkers: 'block' })

  for (const [what, answer] of [
    ['nothing', { status: 404, contentType: 'text/plain', body: '' }],
    ['the new page', { status: 200, contentType: 'text/html', body: INDEX }],
  ] as const) {
    test(`the login says so where ${what} is in its part's place, and is there once the page is loaded anew`, async ({
      page,
      service,
    }) => {
      await stand(page, service.url)
      await update(page, answer)
      await login(page)
      const alert = page.getByRole('alert')
      await expect(alert).toContainText(READY)
      await expect(alert.getByRole('button')).toHaveText('Neu laden')
      await page.unroute('**/assets/*')
      const loaded = page.waitForEvent('load')
      await alert.getByRole('button').click()
      await loaded
      await login(page)
      await expect(page.getByLabel('Firmenname')).toBeVisible()
    })
  }

  test('a public page says so in its place', async ({ page, service }) => {
    await stand(page, service.url)
    await update(page, { status: 404, contentType: 'text/plain', body: '' })
    await page.getByRole('link', { name: 'Shop' }).first().click()
    await expect(page.getByText(READY)).toBeVisible()
  })

  test('without the service it says that, as before', async ({ page, service }) => {
    await stand(page, service.url)
    await service.stop()
    await login(page)
    await expect(page.getByRole('alert')).toContainText('Server nicht erreichbar')
    await expect(page.getByText(READY)).toBeHidden()
  })

  test('a part whose failure the browser keeps, as Chrome up to 155 does, comes with the page loaded anew', async ({
    page,
    service,
  }) => {
    await stand(page, service.url)
    const keep = (route: Route) => (route.request().method() === 'HEAD' ? route.continue() : route.abort())
    await page.route('**/assets/*', keep)
    await login(page)
    const alert = page.getByRole('alert')
    await alert.getByRole('button', { name: 'Erneut versuchen' }).click()
    const reload = alert.getByRole('button', { name: 'Neu laden' })
    await expect(reload).toBeVisible()
    await page.unroute('**/assets/*', keep)
    const loaded = page.waitForEvent('load')
    await reload.click()
    await loaded
    await login(page)
    await expect(page.getByLabel('Firmenname')).toBeVisible()
  })
})

test.describe('with a worker', () => {
  test.beforeEach(async ({ page, service }) => {
    service.entries = november()
    await stopTheClock(page)
    await enter(page, service.url + TIMES)
    await installed(page)
  })

  test('every tab ends on the new version when one agrees, but for what is typed there', async ({
    page,
    context,
    service,
  }) => {
    const [second, third] = [await context.newPage(), await context.newPage()]
    for (const tab of [second, third]) {
      await stopTheClock(tab)
      await tab.goto(service.url + TIMES)
      await expect(tab.getByRole('table')).toBeVisible()
    }
    await third.getByRole('button', { name: 'Korrektur beantragen' }).click()
    await third.getByRole('dialog').getByLabel('Kommen: Stunden').pressSequentially('0800')
    service.workerRevision = '// the next version\n'
    await page.reload()
    for (const tab of [page, second, third]) await expect(tab.getByText(READY)).toBeVisible()
    const loaded = [page, second].map(tab => tab.waitForEvent('load'))
    await page.getByRole('button', { name: 'Jetzt aktualisieren' }).click()
    await Promise.all(loaded)
    for (const tab of [page, second]) {
      await expect(tab.getByRole('table')).toBeVisible()
      await expect(tab.getByText(READY)).toBeHidden()
    }
    // The page asks about the typed input, and then it follows, although no worker waits any more.
    await expect(third.getByText(READY)).toBeVisible()
    await third.getByRole('dialog').getByRole('button', { name: 'Abbrechen' }).click()
    await third.getByRole('button', { name: 'Verwerfen' }).click()
    const followed = third.waitForEvent('load')
    await third.getByRole('button', { name: 'Jetzt aktualisieren' }).click()
    await followed
    await expect(third.getByRole('table')).toBeVisible()
    await expect(third.getByText(READY)).toBeHidden()
  })
})
