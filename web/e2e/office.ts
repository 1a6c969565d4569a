/**
 * An administrator's pages in a real browser, for the benchmark (`stempelwerk bench --only pages`).
 *
 * `node e2e/office.ts <service> <rounds>`, and a line of standard input: the session as JSON. Answers one line of times
 * in milliseconds, one a round: `desktop` until Heute shows who is at work, `phone` its largest paint on Lighthouse's
 * phone, both with an empty cache, `drag` the slowest answer to the pointer while a duty is dragged on a processor
 * slowed down four times; and `scripts`, KiB that each page adds to another one. Then `{"ready": true}`, and for each
 * further line, a name, the time at which Heute shows this person as present: `{"drawn": …}`, in milliseconds since
 * 1970.
 */
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import config, { WINDOWED } from '../playwright.config.ts'
import { waitForRest } from './support/rest.ts'

type Parts = Record<string, string>

const DESKTOP = { viewport: { width: 1280, height: 800 } }
const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
}
const SLOWED = 4
/** Lighthouse's mobile line: 150 ms there and back, 1,638.4 and 750 kbit/s. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 93_750 }
const HEUTE = '/company-dashboard?tab=today'
const PERSON_ITEM = 'main li[data-kind]'

declare global {
  var shown: number | undefined
  var largest: number
  var answers: number[]
}

const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`)

async function open(browser: Browser, parts: Parts, looks: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage({ ...config.use, ...looks })
  await page.addInitScript(parts => {
    for (const [key, value] of Object.entries(parts)) localStorage.setItem(key, value)
  }, parts)
  return page
}

/** Measures from the navigation to the first person that is drawn, and to the largest paint of the page. */
async function arrive(browser: Browser, service: string, parts: Parts, slow: boolean) {
  const page = await open(browser, parts, slow ? PHONE : DESKTOP)
  await page.addInitScript(somebody => {
    new PerformanceObserver(list => {
      globalThis.largest = list.getEntries().at(-1)?.startTime ?? 0
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    const watching = new MutationObserver(() => {
      if (document.querySelector(somebody) === null) return
      watching.disconnect()
      // A task after the next frame: then it has been drawn.
      requestAnimationFrame(() => setTimeout(() => (globalThis.shown = performance.now())))
    })
    watching.observe(document, { childList: true, subtree: true })
  }, PERSON_ITEM)
  if (slow) {
    const line = await page.context().newCDPSession(page)
    await line.send('Network.enable')
    await line.send('Network.emulateNetworkConditions', SLOW_4G)
    await line.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  }
  await page.goto(service + HEUTE, { waitUntil: 'commit' })
  await page.waitForFunction(() => globalThis.shown !== undefined)
  await waitForRest(page)
  const times = await page.evaluate(() => ({ shown: globalThis.shown ?? 0, largest: globalThis.largest }))
  await page.context().close()
  return slow ? Math.max(times.largest, 0) : times.shown
}

/** Drags a duty of Friday to an empty Saturday; each time of another employee. */
async function drag(browser: Browser, service: string, parts: Parts, rounds: number): Promise<number[]> {
  const page = await open(browser, parts, DESKTOP)
  await page.goto(`${service}/company-dashboard?tab=schedule`)
  await page.getByRole('button', { name: 'Planansicht' }).click()
  await page.getByRole('grid').locator('[data-cell] [class*="pill"]').first().waitFor()
  await waitForRest(page)
  const slow = await page.context().newCDPSession(page)
  await slow.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  await page.evaluate(() => {
    const answered = ({ timeStamp }: Event) => {
      requestAnimationFrame(() => setTimeout(() => globalThis.answers.push(performance.now() - timeStamp)))
    }
    for (const type of ['pointerdown', 'pointermove', 'pointerup'])
      window.addEventListener(type, answered, true)
  })
  const slowest: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [from, to] = await page.evaluate(round => {
      const cells = [...document.querySelectorAll<HTMLElement>('[data-cell]')]
      const pairs = cells.flatMap((cell, place) => {
        const next = cells[place + 1]
        const free = next?.parentElement === cell.parentElement && next?.childElementCount === 0
        const { top, bottom } = cell.getBoundingClientRect()
        const inSight = top > 200 && bottom < innerHeight - 60
        return free && inSight && cell.querySelector('[class*="pill"]') ? [[cell, next]] : []
      })
      const pair = pairs[round * 4] ?? pairs.at(-1)
      return (pair ?? []).map(cell => {
        const { x, y, width, height } = cell.getBoundingClientRect()
        return { x: x + width / 2, y: y + height / 2 }
      })
    }, round)
    if (from === undefined || to === undefined) throw new Error('no duty can be dragged')
    await page.mouse.move(from.x, from.y)
    await waitForRest(page)
    await page.evaluate(({ x, y }) => {
      globalThis.answers = []
      const target = document.elementFromPoint(x, y)?.closest('[data-cell]')
      if (target == null) throw new Error('nothing to drop onto')
      let letGo = 0
      window.addEventListener('pointerup', ({ timeStamp }) => (letGo = timeStamp), {
        once: true,
        capture: true,
      })
      new MutationObserver((_, watching) => {
        if (letGo === 0 || target.querySelector('[class*="pill"]') === null) return
        watching.disconnect()
        requestAnimationFrame(() => setTimeout(() => globalThis.answers.push(performance.now() - letGo)))
      }).observe(target, { childList: true, subtree: true })
    }, to)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y, { steps: 8 })
    await page.mouse.up()
    await waitForRest(page)
    const { answers, carried } = await page.evaluate(({ x, y }) => {
      const target = document.elementFromPoint(x, y)?.closest('[data-cell]')
      return { answers: globalThis.answers, carried: target?.querySelector('[class*="pill"]') != null }
    }, to)
    if (!carried || answers.length < 4) throw new Error(`nothing was carried: ${answers}`)
    slowest.push(Math.max(...answers))
  }
  await page.context().close()
  return slowest
}

/** Measures what each page of the menu fetches in addition to the login page: KiB of compressed scripts. */
async function weigh(browser: Browser, service: string, parts: Parts): Promise<Record<string, number>> {
  const weights: Record<string, number> = {}
  const addresses: string[] = []
  for (let turn = 0; turn === 0 || turn <= addresses.length; turn++) {
    const page = await open(browser, parts, { ...DESKTOP, serviceWorkers: 'block' })
    const sizes: Promise<number>[] = []
    page.on('response', response => {
      if (/javascript/.test(response.headers()['content-type'] ?? ''))
        sizes.push(response.body().then(body => gzipSync(body, { level: 9 }).length))
    })
    await page.goto(`${service}/company-dashboard?tab=login`)
    const links = page.getByRole('navigation').locator('a[href*="tab="]')
    await links.first().waitFor()
    await waitForRest(page)
    if (turn === 0) {
      addresses.push(...(await links.evaluateAll(all => all.map(one => one.getAttribute('href') ?? ''))))
    } else {
      const address = addresses[turn - 1] ?? ''
      sizes.splice(0)
      await page.locator(`a[href="${address}"]`).first().click()
      await waitForRest(page)
      const size = (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0)
      weights[address.replace(/.*tab=/, '')] = size / 1024
    }
    await page.context().close()
  }
  return weights
}

/** Resolves when Heute newly shows the person as present, after the paint. */
const whenShown = (page: Page, name: string): Promise<number> =>
  page.evaluate(
    name =>
      new Promise<number>((resolve, reject) => {
        const come = () =>
          [...document.querySelectorAll('main li[data-kind="present"]')].some(row =>
            row.textContent.includes(name),
          )
        if (come()) reject(new Error(`${name}: already there`))
        const watching = new MutationObserver(() => {
          if (!come()) return
          watching.disconnect()
          requestAnimationFrame(() => setTimeout(() => resolve(Date.now())))
        })
        watching.observe(document.body, {
          childList: true,
          subtree: true,
          attributes: true,
          characterData: true,
        })
      }),
    name,
  )

const [service, rounds] = process.argv.slice(2)
if (service === undefined) throw new Error('which service?')
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const parts: Parts = JSON.parse((await lines.next()).value ?? '{}')
const browser = await chromium.launch(WINDOWED)
const times = { desktop: [] as number[], phone: [] as number[] }
for (let round = 0; round < Number(rounds ?? 1); round++) {
  times.desktop.push(await arrive(browser, service, parts, false))
  times.phone.push(await arrive(browser, service, parts, true))
}
const dragged = await drag(browser, service, parts, Number(rounds ?? 1))
say({ ...times, drag: dragged, scripts: await weigh(browser, service, parts) })
const page = await open(browser, parts, DESKTOP)
await page.goto(service + HEUTE)
// The list shows the first forty of all employees, but all who are present.
await page.locator('main button[data-kind="present"]').click()
await waitForRest(page)
for (let line = await lines.next(); !line.done; line = await lines.next()) {
  const drawnAt = whenShown(page, String(JSON.parse(line.value)))
  say({ ready: true })
  say({ drawn: await drawnAt })
}
await browser.close()
