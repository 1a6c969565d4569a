/**
 * When a page is at rest. For tests: nothing that it has asked for is under way, and what has come makes it ask for nothing
 * more.
 */
import { expect, type Page, type Request } from '@playwright/test'

/** Listens from now on; returns how to wait for it. The stream of events, which never ends, is not waited for. */
export function resting(page: Page): () => Promise<void> {
  const underWay = new Set<Request>()
  let requestCount = 0
  page.on('request', request => {
    requestCount += 1
    if (!request.url().endsWith('/events')) underWay.add(request)
  })
  const done = (request: Request) => underWay.delete(request)
  page.on('requestfinished', done)
  page.on('requestfailed', done)
  return async () => {
    for (let countBefore = -1; countBefore !== requestCount; ) {
      countBefore = requestCount
      await expect.poll(() => underWay.size).toBe(0)
      await page.evaluate(async () => {
        for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame)
        await new Promise(resolve => requestIdleCallback(resolve))
      })
    }
  }
}

const REST_MS = 1_500
const MOST_MS = 60_000

/** Until nothing has been asked for and nothing has come for a while: for benchmarks, whose pages may be slow. */
export async function waitForRest(page: Page): Promise<void> {
  let last = Date.now()
  const heard = () => {
    last = Date.now()
  }
  const events = ['request', 'requestfinished', 'requestfailed'] as const
  for (const event of events) page.on(event as 'request', heard)
  for (const end = Date.now() + MOST_MS; Date.now() < end && Date.now() - last < REST_MS; )
    await page.waitForTimeout(100)
  for (const event of events) page.off(event as 'request', heard)
}
