import { gzipSync } from 'node:zlib'
import type { Page, Response } from '@playwright/test'
import { answers as roster } from '../../src/features/roster/samples'
import { november } from '../support/entries'
import { layOutPlan } from '../support/plan'
import { resting } from '../support/rest'
import { enter, expect, stopTheClock, TIMES, test } from '../support/test'

const KIB = 1024

const isScript = (response: Response) => /javascript/.test(response.headers()['content-type'] ?? '')
/** Everything, but the login that a press fetches. */
const isOwn = (response: Response) => !/LoginDialog|Dialog|dressed|fields|Form/.test(response.url())

/**
 * Measures the bytes received since the last call, compressed where a server compresses them, once the page is at rest.
 */
function weigh(page: Page, counts = isScript): () => Promise<number> {
  const settle = resting(page)
  const sizes: Promise<number>[] = []
  page.on('response', response => {
    if (counts(response)) sizes.push(sizeOf(response))
  })
  return async () => {
    await settle()
    return (await Promise.all(sizes.splice(0))).reduce((sum, size) => sum + size, 0)
  }
}

async function sizeOf(response: Response): Promise<number> {
  const body = await response.body()
  const squeezed = /text|javascript|json|svg/.test(response.headers()['content-type'] ?? '')
  return squeezed ? gzipSync(body, { level: 9 }).length : body.length
}

test.describe('what the pages weigh', () => {
  test.use({ serviceWorkers: 'block' })

  test('the landing page at most 110 KiB of JavaScript, and 400 KiB with all that it shows', async ({
    page,
    service,
  }) => {
    const weight = weigh(page)
    const all = weigh(page, isOwn)
    // The script that draws the rays comes last; after it the page reports that nothing here can draw them.
    const rays = page.waitForEvent('console', message => message.text().startsWith('rays:'))
    await page.goto(service.url)
    await rays
    expect(await weight()).toBeLessThanOrEqual(110 * KIB)
    // Down to its end, so that every picture has come.
    let total = 0
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    for (let y = 0; y < height; y += 600) {
      await page.evaluate(to => window.scrollTo(0, to), y)
      total += await all()
    }
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    await expect(page.getByRole('contentinfo')).toBeInViewport()
    total += await all()
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
    const weight = weigh(page)
    await enter(page, service.url + TIMES)
    await expect(page.getByRole('table')).toBeVisible()
    await weight()
    const store = page.waitForResponse(/snapshots.*\.js/)
    await page.reload()
    await expect(page.getByRole('table')).toBeVisible()
    await expect(page.getByText('Mia Sommer · Tischlerei Holm').first()).toBeVisible()
    await store
    const size = await weight()
    expect(size).toBeGreaterThan(50 * KIB)
    expect(size).toBeLessThanOrEqual(172 * KIB)
  })

  test('Meine Termine, the first page after the login, at most 172 KiB in all', async ({ page, service }) => {
    layOutPlan(service)
    service.answers.set('GET /api/companies/c-1', { body: { id: 'c-1', name: 'Tischlerei Holm' } })
    await stopTheClock(page)
    const weight = weigh(page)
    await enter(page, `${service.url}/dashboard`)
    await expect(page.getByRole('button', { name: 'Neue Adresse' })).toBeVisible()
    await weight()
    const store = page.waitForResponse(/snapshots.*\.js/)
    await page.reload()
    await expect(page.getByRole('table')).toContainText('Anfrage offen')
    await expect(page.getByText('Mia Sommer · Tischlerei Holm').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Neue Adresse' })).toBeVisible()
    await store
    const size = await weight()
    expect(size).toBeGreaterThan(50 * KIB)
    expect(size).toBeLessThanOrEqual(172 * KIB)
  })

  test('the roster adds at most 60 KiB to another page of an administrator', async ({ page, service }) => {
    for (const [call, body] of Object.entries(roster)) service.answers.set(call, { body })
    const modules = [{ id: 'f-1', key: 'schedule', label: 'Dienstplan verwalten' }]
    service.answers.set('GET /api/companies/c-1/features', { body: modules })
    await stopTheClock(page)
    const weight = weigh(page)
    await enter(page, `${service.url}/company-dashboard?tab=login`, 'chef')
    await page.getByRole('link', { name: 'Dienstplan verwalten' }).waitFor()
    await weight()
    await page.getByRole('link', { name: 'Dienstplan verwalten' }).click()
    await page.getByRole('button', { name: 'Planansicht' }).click()
    await expect(page.getByRole('grid')).toBeVisible()
    const size = await weight()
    expect(size).toBeGreaterThan(5 * KIB)
    expect(size).toBeLessThanOrEqual(60 * KIB)
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
