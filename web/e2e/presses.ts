/**
 * Presses an employee's controls on a slow phone, for the benchmark (`stempelwerk bench --only presses`).
 *
 * `node e2e/presses.ts <rounds>`, against a demo of its own, in a window of 390 × 844 on a processor slowed down four
 * times. Prints one object. `presses`: for each press the milliseconds until the browser had drawn the effect, one a
 * round, as the Event Timing API reports it (in steps of 8 ms; below 16 it reports nothing, which is 0 here). The first
 * round is the page's first of all. `ground`: what was stored meanwhile.
 */
import { chromium, type Page } from '@playwright/test'
import config, { WINDOWED } from '../playwright.config.ts'
import { Demo } from './support/demo.ts'

const PHONE = { width: 390, height: 844 }
const SLOWED = 4

/** Resolves after the work that a press has started, and its drawing. */
const REST_MS = 1200

/** A key a time, as a quick thumb types. */
const KEY_MS = 80

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const dialog = (page: Page) => page.getByRole('dialog').last()
const tab = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name }).first()

type Press = (page: Page) => Promise<unknown>

const click =
  (find: (page: Page) => ReturnType<typeof button>): Press =>
  page =>
    find(page).click()
const key =
  (name: string): Press =>
  page =>
    page.keyboard.press(name)
const openTab = (name: string) => click(page => tab(page, name))

const TABS = ['Zeiten', 'Konto', 'Nachrichten', 'Termine']

/** In this order; each begins where the one before has ended. */
const PRESSES: readonly [string, Press][] = [
  ['a month back', click(page => button(page, 'Vorheriger Monat'))],
  ['a month forward', click(page => button(page, 'Nächster Monat'))],
  ['the next month', click(page => button(page, 'Nächster Monat'))],
  ['hand over a duty', click(page => button(page, /übergeben$/))],
  ['the list of colleagues', click(page => dialog(page).getByRole('combobox'))],
  ['close the list', key('Escape')],
  ['leave the hand-over', key('Escape')],
  ...TABS.map((name): [string, Press] => [`tab ${name}`, openTab(name)]),
  ['tab Zeiten again', openTab('Zeiten')],
  ['correct a time', click(page => button(page, /Korrektur beantragen/))],
  ['its reason', click(page => dialog(page).getByRole('textbox', { name: /Begründung/ }))],
  ['type it', page => page.keyboard.type('Chip vergessen', { delay: KEY_MS })],
  ['its day', click(page => dialog(page).getByRole('textbox', { name: /Tag/ }))],
  ['type a day', key('Backspace')],
  ['close the calendar', key('Escape')],
  ['leave the correction', key('Escape')],
  ['discard it', click(page => button(page, 'Verwerfen'))],
  ['tab Konto again', openTab('Konto')],
  ['unfold what was worked', click(page => button(page, /^Ist/))],
  ['the other tabs', click(page => button(page, /^Mehr/))],
  ['to the absences', click(page => page.getByRole('link', { name: 'Meine Abwesenheiten' }))],
  ['ask for vacation', click(page => button(page, 'Urlaub oder Wunschfrei beantragen'))],
  ['leave the request', key('Escape')],
  ['report sick', click(page => button(page, 'Krank melden'))],
  ['leave the report', key('Escape')],
]

declare global {
  var answered: PerformanceEventTiming[]
}

/** Starts to record how long each press takes. */
const listen = (page: Page) =>
  page.evaluate(() => {
    globalThis.answered = []
    const observer = new PerformanceObserver(list => {
      globalThis.answered.push(...(list.getEntries() as PerformanceEventTiming[]))
    })
    observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })

async function press(page: Page, act: Press): Promise<number> {
  const began = await page.evaluate(() => performance.now())
  await act(page)
  await page.waitForTimeout(REST_MS)
  return page.evaluate(
    began =>
      Math.max(
        0,
        ...globalThis.answered
          .filter(entry => entry.startTime >= began && entry.interactionId > 0)
          .map(entry => entry.duration),
      ),
    began,
  )
}

async function measure(demo: Demo, rounds: number): Promise<Record<string, number[]>> {
  const browser = await chromium.launch(WINDOWED)
  const page = await browser.newPage({ ...config.use, viewport: PHONE })
  await demo.logIn(page, 'Anna Brandt', '/dashboard', 'Meine Termine')
  page.setDefaultTimeout(15_000)
  const slow = await page.context().newCDPSession(page)
  const times: Record<string, number[]> = Object.fromEntries(PRESSES.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    await slow.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await page.goto(`${demo.cloud}/dashboard`)
    await page.waitForTimeout(2 * REST_MS)
    await slow.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
    await listen(page)
    for (const [name, act] of PRESSES) times[name]?.push(await press(page, act))
  }
  await browser.close()
  return times
}

const demo = await Demo.start()
try {
  const presses = await measure(demo, Number(process.argv[2] ?? 1))
  process.stdout.write(`${JSON.stringify({ presses, ground: await demo.ground() })}\n`)
} finally {
  await demo.stop()
}
