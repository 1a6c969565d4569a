import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/test'

const KIB = 1024

/** All JavaScript that the page asks for until it is quiet, in gzipped bytes. */
async function scripts(page: Page, url: string): Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('response', response => {
    if (/javascript/.test(response.headers()['content-type'] ?? '')) {
      sizes.push(response.body().then(body => gzipSync(body, { level: 9 }).length))
    }
  })
  await page.goto(url)
  await page.waitForTimeout(3_000)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

test.describe('what the pages weigh', () => {
  test.use({ serviceWorkers: 'block' })

  test('the first page at most 172 KiB of JavaScript, the login that it prepares included', async ({
    page,
    service,
  }) => {
    const size = await scripts(page, service.url)
    expect(size).toBeGreaterThan(50 * KIB)
    expect(size).toBeLessThanOrEqual(172 * KIB)
  })

  test('the touchscreen at most 80 KiB', async ({ page, agent }) => {
    const size = await scripts(page, agent.url)
    expect(size).toBeGreaterThan(30 * KIB)
    expect(size).toBeLessThanOrEqual(80 * KIB)
  })
})
