/** The tests' ground: a service and a clock of one's own, and logging in as an employee does. */
import { type BrowserContext, test as base, expect, type Locator, type Page } from '@playwright/test'
import { Agent } from './agent'
import { NOW } from './entries'
import { PEOPLE, Service } from './service'

export { expect }

export const test = base.extend<{ service: Service; agent: Agent }>({
  context: async ({ context }, use) => {
    await listenTo(context)
    await use(context)
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  service: async ({}, use) => {
    const service = new Service()
    await service.start()
    await use(service)
    await service.stop()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  agent: async ({}, use) => {
    const agent = new Agent()
    await agent.start()
    await use(agent)
    await agent.stop()
  },
})

declare global {
  interface Window {
    /** Every text that has come into the page, oldest first. */
    said: string[]
  }
}

function writeDownWhatIsSaid() {
  window.said = []
  const write = ({ textContent }: Node) => textContent && window.said.push(textContent)
  const watch = new MutationObserver(changes => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'characterData') write(target)
      for (const node of addedNodes) write(node)
    }
  })
  watch.observe(document, { childList: true, characterData: true, subtree: true })
}

/** Prepares a context that a test makes. */
export const listenTo = (context: BrowserContext) => context.addInitScript(writeDownWhatIsSaid)

/** Expects that the page has announced the sentence, even if it disappeared a second or two later. */
export async function expectSaid(page: Page, sentence: string) {
  const isAnnounced = () => page.evaluate(one => window.said.some(text => text.includes(one)), sentence)
  await expect.poll(isAnnounced, sentence).toBe(true)
}

/** Stops the page's clock at a morning in November, so that "today" is always the same. */
export async function stopTheClock(page: Page, at: Date = NOW) {
  await page.clock.setFixedTime(at)
}

/** Before the page begins: what it waits for comes when the test lets time pass (`page.clock.runFor`). */
export async function holdTime(page: Page, at: Date = NOW) {
  await page.clock.install({ time: at.getTime() - HOUR_MS })
  await page.clock.pauseAt(at)
}

/** So long may it take from one step to the next. */
const HOUR_MS = 3_600_000

/** The parts of a session that a page stores. */
export type Session = Record<'token' | 'role' | 'username' | 'companyId' | 'userId', string>

let times = 0

/** Goes there as one who comes back: the session lies in the store already. The login has tests of its own. */
export async function comeBack(page: Page, url: string, session: Session) {
  const { origin } = new URL(url)
  times += 1
  await page.addInitScript(
    ({ origin, session, once }) => {
      if (location.origin !== origin || sessionStorage.getItem(once) !== null) return
      sessionStorage.setItem(once, '')
      Object.assign(localStorage, session)
    },
    { origin, session, once: `came back ${times}` },
  )
  await page.goto(url)
}

export async function enter(page: Page, url: string, who: keyof typeof PEOPLE = 'mia') {
  await comeBack(page, url, { token: 'token-1', ...PEOPLE[who] })
}

/** Logs in by the form, for tests of the login. */
export async function logIn(page: Page, url: string, username: 'mia' | 'chef' | 'root' = 'mia') {
  await page.goto(url)
  await page.getByRole('button', { name: 'Login' }).click()
  await fillIn(page, username)
}

/** Where the own times are. */
export const TIMES = '/dashboard?tab=my_times'

/** To the own times, which are not the first page. */
export async function logInToTimes(page: Page, url: string) {
  await logIn(page, url + TIMES)
}

export async function fillIn(page: Page, username: string, password = 'geheim', company = 'Tischlerei Holm') {
  await page.getByLabel('Firmenname').fill(company)
  await page.getByLabel('Benutzername').fill(username)
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Einloggen' }).click()
}

/** Uses the button next to the months, or on a phone the one among them. */
export async function toThisMonth(page: Page) {
  const currentMonth = page.getByRole('button', { name: 'Aktueller Monat' })
  if (!(await currentMonth.isVisible())) await page.getByRole('button', { name: 'Monat auswählen' }).click()
  await currentMonth.click()
}

/** A dialog once it has taken the focus to itself: a key that is pressed before that goes where the focus then is. */
export async function opened(dialog: Locator) {
  await expect(dialog.locator(':focus')).toBeVisible()
  return dialog
}

/** Chooses one of a few, as with a pointer. */
export async function pick(where: Page | Locator, label: string, option: string) {
  await where.getByRole('combobox', { name: label, exact: true }).click()
  await where.getByRole('option', { name: option, exact: true }).click()
}
