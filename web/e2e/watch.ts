/**
 * Watches a touchscreen and the pages of employees in a real browser, for the benchmark (`stempelwerk bench --only
 * live`).
 *
 * `node e2e/watch.ts <touchscreen> <service>`; then a line of standard input for each employee, the session of one
 * without a stamp as JSON. Answers `{"ready": true}` once that page hears the service, and after the first stamp when
 * each of the two has drawn it: `{"touchscreen": …, "page": …}`, in milliseconds since 1970.
 */
import { createInterface } from 'node:readline'
import { type Browser, chromium, type Page } from '@playwright/test'
import config, { WINDOWED } from '../playwright.config.ts'

/** Resolves when a finished page has nothing left to draw. */
const SETTLED_MS = 700

/** The page's text for a month without a stamp. */
const NOTHING_YET = 'hast du noch nicht gestempelt'

const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`)

/** Resolves when the page's text newly contains `words`, or has lost them, after the paint. */
const whenDrawn = (page: Page, words: string, wanted: 'there' | 'gone'): Promise<number> =>
  page.evaluate(
    ([words, wanted]) =>
      new Promise<number>((resolve, reject) => {
        const come = () => (document.body.textContent.includes(words) ? 'there' : 'gone') === wanted
        if (come()) reject(new Error(`${words}: already ${wanted}`))
        const watching = new MutationObserver(() => {
          if (!come()) return
          watching.disconnect()
          // A task after the next frame: then it has been drawn.
          requestAnimationFrame(() => setTimeout(() => resolve(Date.now())))
        })
        watching.observe(document.body, { childList: true, subtree: true, characterData: true })
      }),
    [words, wanted] as const,
  )

async function openPage(browser: Browser, service: string, session: Record<string, string>): Promise<Page> {
  const page = await browser.newPage(config.use)
  await page.addInitScript(parts => {
    for (const [key, value] of Object.entries(parts)) localStorage.setItem(key, value)
  }, session)
  await page.goto(`${service}/dashboard?tab=my_times`)
  await page.getByTitle('Aktualisiert sich von selbst').waitFor()
  return page
}

async function watch(touchscreen: string, service: string) {
  const browser = await chromium.launch(WINDOWED)
  const clock = await browser.newPage({ ...config.use, viewport: { width: 800, height: 480 } })
  await clock.goto(touchscreen)
  for await (const line of createInterface({ input: process.stdin })) {
    const session = JSON.parse(line)
    const page = await openPage(browser, service, session)
    await page.waitForTimeout(SETTLED_MS)
    const both = [whenDrawn(clock, session.username, 'there'), whenDrawn(page, NOTHING_YET, 'gone')]
    say({ ready: true })
    const [shown, told] = await Promise.all(both)
    say({ touchscreen: shown, page: told })
    await page.close()
  }
  await browser.close()
}

const [touchscreen, service] = process.argv.slice(2)
if (touchscreen === undefined || service === undefined)
  throw new Error('which touchscreen, and which service?')
await watch(touchscreen, service)
