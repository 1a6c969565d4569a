import { gzipSync } from 'node:zlib'
import type { Page, Response } from '@playwright/test'
import { november } from '../support/entries'
import { layOutPlan } from '../support/plan'
import { expect, logIn, logInToTimes, stopTheClock, test } from '../support/test'

const KIB = 1024

/** Notes all JavaScript that the page asks for; returns its size in gzipped bytes until then, and notes no more. */
function weigh(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = []
  const note = (response: Response) => {
    if (/javascript/.test(response.headers()['content-type'] ?? '')) {
      sizes.push(response.body().then(body => gzipSync(body, { level: 9 }).length))
    }
  }
  page.on('response', note)
  return async () => {
    page.off('response', note)
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  }
}

/** The size of everything that comes, squeezed where a server squeezes it, but for the login that a press fetches. */
function weighAll(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('response', response => {
    const kind = response.headers()['content-type'] ?? ''
    if (/LoginDialog|Dialog|dressed|fields|Form/.test(response.url())) return
    sizes.push(
      response.body().then(
        body => (/text|javascript|json|svg/.test(kind) ? gzipSync(body, { level: 9 }).length : body.length),
        () => 0,
      ),
    )
  })
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

test.describe('what the pages weigh', () => {
  test.use({ serviceWorkers: 'block' })

  test('the landing page at most 110 KiB of JavaScript, and 400 KiB with all that it shows', async ({
    page,
    service,
  }) => {
    const weight = weigh(page)
    const all = weighAll(page)
    await page.goto(service.url)
    await page.waitForTimeout(3_000)
    expect(await weight()).toBeLessThanOrEqual(110 * KIB)
    // Down to its end, so that every picture has come.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    for (let y = 0; y < height; y += 600) {
      await page.evaluate(to => window.scrollTo(0, to), y)
      await page.waitForTimeout(150)
    }
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    await expect(page.getByRole('contentinfo')).toBeInViewport()
    const total = await all()
    expect(total).toBeGreaterThan(150 * KIB)
    expect(total).toBeLessThanOrEqual(400 * KIB)
  })

  test('the login, with the page that it stands on, at most 172 KiB', async ({ page, service }) => {
    const weight = weigh(page)
    await page.goto(service.url)
    // All of what it is made of has come when it can be seen.
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByLabel('Firmenname')).toBeVisible()
    const size = await weight()
    expect(size).toBeGreaterThan(50 * KIB)
    expect(size).toBeLessThanOrEqual(172 * KIB)
  })

  test('Meine Zeiten at most 172 KiB in all, with what it keeps for later', async ({ page, service }) => {
    service.entries = november()
    service.answers.set('GET /api/companies/c-1', { body: { id: 'c-1', name: 'Tischlerei Holm' } })
    await stopTheClock(page)
    await logInToTimes(page, service.url)
    await expect(page.getByRole('table')).toBeVisible()
    const weight = weigh(page)
    const store = page.waitForResponse(/snapshots.*\.js/)
    await page.reload()
    await expect(page.getByRole('table')).toBeVisible()
    await expect(page.getByText('Mia Sommer · Tischlerei Holm').first()).toBeVisible()
    await store
    // Its own stream stays open: the network is never idle.
    await page.waitForTimeout(2_000)
    const size = await weight()
    expect(size).toBeGreaterThan(50 * KIB)
    expect(size).toBeLessThanOrEqual(172 * KIB)
  })

  test('Meine Termine, the first page after the login, at most 172 KiB in all', async ({ page, service }) => {
    layOutPlan(service)
    service.answers.set('GET /api/companies/c-1', { body: { id: 'c-1', name: 'Tischlerei Holm' } })
    await stopTheClock(page)
    await logIn(page, service.url)
    await expect(page.getByRole('button', { name: 'Neue Adresse' })).toBeVisible()
    await page.waitForTimeout(1_000)
    const weight = weigh(page)
    const store = page.waitForResponse(/snapshots.*\.js/)
    await page.reload()
    await expect(page.getByRole('table')).toContainText('Anfrage offen')
    await expect(page.getByText('Mia Sommer · Tischlerei Holm').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Neue Adresse' })).toBeVisible()
    await store
    await page.waitForTimeout(2_000)
    const size = await weight()
    expect(size).toBeGreaterThan(50 * KIB)
    expect(size).toBeLessThanOrEqual(172 * KIB)
  })

  test('the touchscreen at most 80 KiB', async ({ page, agent }) => {
    const weight = weigh(page)
    await page.goto(agent.url)
    await expect(page.getByRole('main')).toBeVisible()
    const size = await weight()
    expect(size).toBeGreaterThan(30 * KIB)
    expect(size).toBeLessThanOrEqual(80 * KIB)
  })
})
