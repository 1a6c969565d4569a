/**
 * Goes to every page for the first time on a slow processor, for the benchmark (`stempelwerk bench --only visits`).
 *
 * `node e2e/visits.ts <rounds>`, with the service's address and the sessions by area as JSON on standard input. Each
 * visit is a browser's first, with an empty cache. Prints for each page the milliseconds of its longest task, during
 * which no press is answered (below 50 the browser reports nothing, which is 0 here). It is the least of these visits,
 * because a busy machine only ever adds. A page is visited again only while it is above the goal.
 */
import { text } from 'node:stream/consumers'
import { type Browser, type BrowserContextOptions, chromium } from '@playwright/test'
import config, { WINDOWED } from '../playwright.config.ts'
import { waitForRest } from './support/rest.ts'

const SLOWED = 4

/** The users of the pages, and their usual window size. */
const AREAS = {
  employee: { path: '/dashboard', viewport: { width: 390, height: 844 } },
  council: { path: '/dashboard', viewport: { width: 390, height: 844 } },
  company: { path: '/company-dashboard', viewport: { width: 1280, height: 800 } },
  admin: { path: '/admin', viewport: { width: 1280, height: 800 } },
} as const
type Area = keyof typeof AREAS

interface Asked {
  url: string
  goal: number
  sessions: Record<Area, Record<string, string>>
}

declare global {
  var tasks: PerformanceEntry[]
}

const listen = () => {
  globalThis.tasks = []
  new PerformanceObserver(list => globalThis.tasks.push(...list.getEntries())).observe({
    type: 'longtask',
    buffered: true,
  })
}

/** A new browser's, logged in. */
async function enter(browser: Browser, { url, sessions }: Asked, area: Area, options: BrowserContextOptions) {
  const page = await (await browser.newContext({ ...config.use, ...options })).newPage()
  await page.goto(`${url}/robots.txt`)
  await page.evaluate(parts => Object.assign(localStorage, parts), sessions[area])
  return page
}

/** The addresses of an area's menu. */
async function menu(browser: Browser, asked: Asked, area: Area): Promise<string[]> {
  const page = await enter(browser, asked, area, { viewport: { width: 1280, height: 800 } })
  await page.goto(asked.url + AREAS[area].path)
  const links = page.getByRole('navigation').locator('a[href*="tab="]')
  await links.first().waitFor()
  await waitForRest(page)
  const addresses = await links.evaluateAll(all => all.map(one => (one as HTMLAnchorElement).href))
  await page.context().close()
  return [...new Set(addresses)]
}

async function visit(browser: Browser, asked: Asked, area: Area, address: string): Promise<number> {
  const page = await enter(browser, asked, area, { viewport: AREAS[area].viewport })
  await page.addInitScript(listen)
  const slow = await page.context().newCDPSession(page)
  await slow.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  await page.goto(address)
  await waitForRest(page)
  const longest = await page.evaluate(() => Math.max(0, ...globalThis.tasks.map(({ duration }) => duration)))
  await page.context().close()
  return longest
}

async function measure(asked: Asked, rounds: number): Promise<Record<string, number>> {
  const browser = await chromium.launch(WINDOWED)
  const longest: Record<string, number> = {}
  for (const area of Object.keys(AREAS) as Area[])
    for (const address of await menu(browser, asked, area)) {
      const name = `${area} ${new URL(address).searchParams.get('tab')}`
      let shortest = Number.POSITIVE_INFINITY
      for (let round = 0; round < rounds && shortest > asked.goal; round++)
        shortest = Math.min(shortest, await visit(browser, asked, area, address))
      longest[name] = shortest
      process.stderr.write(`${name}: ${Math.round(shortest)} ms\n`)
    }
  await browser.close()
  return longest
}

const request = JSON.parse(await text(process.stdin)) as Asked
process.stdout.write(`${JSON.stringify(await measure(request, Number(process.argv[2] ?? 1)))}\n`)
