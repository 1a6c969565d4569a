/**
 * The whole way of a tap, on the real programs: bytes on a serial line, the reader's driver, the journal, the service,
 * the browser. The touchscreen's page is open next to an employee's, and the service goes away in the middle of it.
 */
import { type Page, request } from '@playwright/test'
import type { components } from '../../src/api/schema'
import { COMPANY, Demo, PASSWORD } from '../support/demo'
import { installed } from '../support/device'
import { expect, test } from '../support/test'

type TimeEntry = components['schemas']['TimeEntryRow']

const ANNA = { name: 'Anna Brandt', tag: '04A1B2C3D4E5F6' }
const FINN = { name: 'Finn Jansen', tag: '041F5A9C2B7D80' }
const MIA = { name: 'Mia Lorenz', tag: '0491D4E36A5B82' }
const SVENJA = { name: 'Svenja Albers', tag: '0418E2D5774A80' }
const OWNER = 'Ingrid Holm'
const UNKNOWN_TAG = '04FEEDBEEF0080'

/** The company's window for double taps, and a little more. */
const NEXT_TAP_MS = 61_000

let demo: Demo

test.beforeAll(async () => {
  test.setTimeout(150_000)
  demo = await Demo.start()
})

test.afterAll(async () => {
  await demo?.stop()
})

test('from the tag to the web page, with the service away for a while', async ({ browser }) => {
  test.setTimeout(300_000)
  const clock = await (await browser.newContext({ viewport: { width: 800, height: 480 } })).newPage()
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  await clock.goto(demo.clock)
  await expect(clock.getByText('verbunden', { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(clock.getByText('Chip anhalten, fertig.')).toBeVisible()
  await watched(clock)
  await logIn(page)
  const running = page.getByRole('region', { name: 'Eingestempelt' })
  await expect(running).toBeHidden()
  await expect(page.getByText('Aktualisiert sich von selbst')).toBeVisible()

  await test.step('Anna comes: the clock greets her, and her page shows it by itself', async () => {
    await tapped(clock, ANNA.tag, ['Kommen', `Hallo, ${ANNA.name}`, /\d\d:\d\d/])
    await expect(running).toBeVisible()
  })
  const came = Date.now()
  const sinceText = (await running.getByText(/^seit/).textContent()) ?? ''

  await test.step('a second tap is none', async () => {
    await tapped(clock, ANNA.tag, [/^Schon gestempelt um \d\d:\d\d$/, ANNA.name])
    await expect(running).toContainText(sinceText)
  })

  await test.step('the service goes away: both pages say so, and what was read stays readable', async () => {
    await demo.order('stop-cloud')
    await expect(page.getByText('Keine Verbindung zum Server.')).toBeVisible({ timeout: 60_000 })
    await expect(page.getByText(/^Stand vom /)).toBeVisible()
    await page.reload()
    await expect(running).toContainText(sinceText)
    await expect(page.getByText('Keine Verbindung zum Server.')).toBeVisible()
    await expect(clock.getByText(/^offline/)).toBeVisible({ timeout: 60_000 })
  })

  await test.step('the clock goes on: it saves, greets, and says that it will send', async () => {
    await tapped(clock, FINN.tag, ['Kommen', `Hallo, ${FINN.name}`, 'gespeichert · wird gesendet'])
    await tapped(clock, UNKNOWN_TAG, ['Diesen Chip kenne ich noch nicht', UNKNOWN_TAG])
    await tapped(clock, MIA.tag, ['Kommen', `Hallo, ${MIA.name}`, 'gespeichert · wird gesendet'])
    await expect.poll(() => Date.now() - came, { timeout: NEXT_TAP_MS + 60_000 }).toBeGreaterThan(NEXT_TAP_MS)
    await tapped(clock, ANNA.tag, ['Gehen', `Bis bald, ${ANNA.name}`, 'gespeichert · wird gesendet'])
    await expect(clock.getByText(/^offline · \d gespeichert · wird gesendet$/)).toBeVisible()
    await expect(running).toContainText(sinceText)
  })

  await test.step('the service is back: everything is there by itself', async () => {
    await demo.order('start-cloud')
    await expect(clock.getByText('verbunden', { exact: true })).toBeVisible({ timeout: 120_000 })
    await expect(page.getByText('Keine Verbindung zum Server.')).toBeHidden({ timeout: 60_000 })
    await expect(running).toBeHidden({ timeout: 60_000 })
    await expect(page.getByText('Aktualisiert sich von selbst')).toBeVisible({ timeout: 60_000 })
  })

  await test.step('once, and in order', async () => {
    const today = await timesToday(await page.evaluate(() => localStorage.getItem('token') ?? ''), ANNA.name)
    expect(today).toMatchObject([{ running: false, source: 'clock', clockName: expect.any(String) }])
    expect((today[0]?.start ?? '') <= (today[0]?.end ?? '')).toBe(true)
    const owner = await tokenOf(OWNER)
    for (const person of [FINN, MIA]) {
      expect(await timesToday(owner, person.name)).toMatchObject([{ running: true, end: null }])
    }
    const heldStamps = await callAs(owner, company => `/api/companies/${company}/held-stamps`)
    expect((heldStamps as { tag: string }[]).filter(stamp => stamp.tag === UNKNOWN_TAG)).toHaveLength(1)
  })
})

test('from a portable scanner through its base to the web page', async ({ browser }) => {
  test.setTimeout(180_000)
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  await demo.logIn(page, SVENJA.name, '/dashboard?tab=my_times', 'Meine Zeiten')
  await expect(page.getByText('Aktualisiert sich von selbst')).toBeVisible({ timeout: 60_000 })
  const running = page.getByRole('region', { name: 'Eingestempelt' })
  const entriesBefore = await timesToday(await tokenOf(SVENJA.name), SVENJA.name)
  const wasIn = entriesBefore.some(entry => entry.running)
  // The page has come so far before the tap, whatever the demo's day has made of her until now.
  await expect(running).toBeVisible({ visible: wasIn })
  await demo.tapOnScanner(SVENJA.tag)
  await expect(running).toBeVisible({ visible: !wasIn, timeout: 60_000 })
})

async function logIn(page: Page) {
  await demo.logIn(page, ANNA.name, '/dashboard?tab=my_times', 'Meine Zeiten')
  // The worker that makes the page readable without the service is installed by the first visit.
  await installed(page)
}

/** Records everything that the touchscreen shows from now on, also texts that the time replaces before a test looks. */
async function watched(clock: Page) {
  await clock.evaluate(() => {
    const frames: string[][] = []
    new MutationObserver(() =>
      frames.push([...document.querySelectorAll('#root *')].map(({ textContent }) => textContent)),
    ).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    })
    Object.assign(window, { shown: frames })
  })
}

/** Holds the tag to the reader and sees all of the words on the touchscreen at once, before they give way to the time. */
async function tapped(clock: Page, tag: string, words: readonly (string | RegExp)[]) {
  const shownFrames = () => clock.evaluate(() => (window as unknown as { shown: string[][] }).shown)
  const countBefore = (await shownFrames()).length
  await demo.tap(tag)
  const reads = (line: string, word: string | RegExp) =>
    typeof word === 'string' ? line === word : word.test(line)
  await expect
    .poll(
      async () => {
        const screens = (await shownFrames()).slice(countBefore)
        return (
          screens.some(lines => words.every(word => lines.some(line => reads(line, word)))) || screens.at(-1)
        )
      },
      { timeout: 60_000 },
    )
    .toBe(true)
  await expect(clock.getByText('Chip anhalten, fertig.')).toBeVisible()
}

interface Login {
  token: string
  companyId: string
}

const logins = new Map<string, Login>()

async function tokenOf(username: string): Promise<string> {
  const context = await request.newContext()
  const ask = async <Said>(path: string, data: object) =>
    (await (await context.post(demo.cloud + path, { data })).json()) as Said
  const { temp_token, next } = await ask<{ temp_token: string; next: string }>('/api/login', {
    company: COMPANY,
    username,
    password: PASSWORD,
  })
  const knownMails = await demo.mails()
  const email = next === 'email_input' ? { email: `${username.replace(' ', '.')}@holm.example` } : {}
  await ask('/api/auth/email/start', { temp_token, ...email })
  const login = await ask<Login>('/api/auth/email/verify', {
    temp_token,
    code: await demo.codeAfter(knownMails),
  })
  logins.set(login.token, login)
  await context.dispose()
  return login.token
}

async function callAs(token: string, path: (company: string) => string): Promise<unknown> {
  const context = await request.newContext()
  const answer = await context.get(demo.cloud + path(logins.get(token)?.companyId ?? ''), {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(answer.status()).toBe(200)
  const body: unknown = await answer.json()
  await context.dispose()
  return body
}

async function timesToday(token: string, username: string): Promise<TimeEntry[]> {
  const owner = await tokenOf(OWNER)
  const users = (await callAs(owner, company => `/api/companies/${company}/users`)) as {
    id: string
    username: string
  }[]
  const id = users.find(user => user.username === username)?.id
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date())
  return (await callAs(token, () => `/api/users/${id}/times?from=${today}&to=${today}`)) as TimeEntry[]
}
