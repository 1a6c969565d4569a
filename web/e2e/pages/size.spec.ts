import { gzipSync } from 'node:zlib'
import type { Page, Response } from '@playwright/test'
import { expect, test } from '../support/test'

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

test.describe('what the pages weigh', () => {
  test.use({ serviceWorkers: 'block' })

  test('the first page at most 172 KiB of JavaScript, the login that it prepares included', async ({
    page,
    service,
  }) => {
    const weight = weigh(page)
    const login = page.waitForResponse(/LoginDialog.*\.js/)
    await page.goto(service.url)
    await login
    await page.waitForLoadState('networkidle')
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
