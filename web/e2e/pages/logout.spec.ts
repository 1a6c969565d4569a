/** Logging out without a network, on the real service: what stays in the browser, and what becomes of the session. */
import { createHash } from 'node:crypto'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import type { Cloud, Person } from '../support/cloud'
import { installed } from '../support/device'
import { test } from '../support/installation'
import { fillIn } from '../support/test'

async function enter(page: Page, cloud: Cloud, person: Person): Promise<string> {
  await cloud.enter(page, person, '/dashboard')
  return ready(page)
}

/** Waits until the device stores everything that a logout has to remove. */
async function ready(page: Page): Promise<string> {
  await expect(page.getByRole('heading', { name: 'Meine Termine' })).toBeVisible()
  await installed(page)
  await expect.poll(async () => (await storedTexts(page)).indexedDB).toContain('schedule')
  return page.evaluate(() => localStorage.getItem('token') ?? '')
}

const status = async (cloud: Cloud, request: APIRequestContext, token: string) =>
  (
    await request.get(`${cloud.url}/api/auth/sessions`, { headers: { Authorization: `Bearer ${token}` } })
  ).status()

/** Everything that the browser keeps for a page, as text. */
function storedTexts(page: Page) {
  return page.evaluate(async () => {
    const answerOf = <Answer>(request: IDBRequest<Answer>) =>
      new Promise<Answer>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const rows: unknown[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await answerOf(indexedDB.open(name))
      for (const store of database.objectStoreNames) {
        const table = database.transaction(store).objectStore(store)
        rows.push([await answerOf(table.getAllKeys()), await answerOf(table.getAll())])
      }
      database.close()
    }
    const answers: string[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        answers.push(request.url, (await (await cache.match(request))?.text()) ?? '')
      }
    }
    return {
      localStorage: JSON.stringify({ ...localStorage }),
      sessionStorage: JSON.stringify({ ...sessionStorage }),
      indexedDB: JSON.stringify(rows),
      caches: answers.join('\n'),
      cookies: document.cookie,
      history: JSON.stringify([window.location.href, window.history.state]),
    }
  })
}

const logOut = (page: Page) => page.getByRole('button', { name: 'Logout' }).first().click()

test('nothing of the token stays, and the session ends once the network is back', async ({
  page,
  context,
  request,
  cloud,
}) => {
  const mia = await cloud.person('mia')
  await page.goto(cloud.url)
  await page.getByRole('button', { name: 'Login' }).click()
  await fillIn(page, mia.username, mia.password, mia.company)
  const token = await ready(page)
  expect((await storedTexts(page)).localStorage).toContain(token)
  await context.setOffline(true)
  await logOut(page)
  await expect(page.getByRole('heading', { name: 'Chip dran. Gestempelt.' })).toBeVisible()
  await expect.poll(async () => (await storedTexts(page)).indexedDB).not.toContain('schedule')
  const stored = await storedTexts(page)
  expect(Object.keys(JSON.parse(stored.localStorage))).toEqual([
    expect.stringMatching(/^left\/[0-9a-f]{64}$/),
  ])
  expect(stored.caches.length).toBeGreaterThan(100_000)
  for (const [place, text] of Object.entries(stored)) {
    expect(text.includes(token), place).toBe(false)
    expect(text.includes(mia.id), place).toBe(false)
  }
  expect(await status(cloud, request, token)).toBe(200)

  await context.setOffline(false)
  await expect.poll(() => status(cloud, request, token)).toBe(401)
  await expect.poll(async () => (await storedTexts(page)).localStorage).toBe('{}')
})

test('a page that is closed at once ends its session at the next opening, whoever logs in then', async ({
  page,
  context,
  request,
  cloud,
}) => {
  const [jan, ida] = [await cloud.person('jan'), await cloud.person('ida')]
  const token = await enter(page, cloud, jan)
  await context.setOffline(true)
  await logOut(page)
  await page.close()
  expect(await status(cloud, request, token)).toBe(200)

  const next = await context.newPage()
  await next.goto(`${cloud.url}/impressum`)
  expect(JSON.stringify(await storedTexts(next))).not.toContain(token)
  expect(await status(cloud, request, token)).toBe(200)
  await context.setOffline(false)
  await expect.poll(() => status(cloud, request, token)).toBe(401)
  await expect.poll(async () => JSON.stringify(await storedTexts(next))).not.toContain(jan.id)
  const nextSession = await enter(next, cloud, ida)
  expect(await status(cloud, request, nextSession)).toBe(200)
})

test('of two windows that log out without a network both leave nothing', async ({
  page,
  context,
  request,
  cloud,
}) => {
  const eva = await cloud.person('eva')
  const token = await enter(page, cloud, eva)
  const second = await context.newPage()
  await second.goto(`${cloud.url}/dashboard`)
  await expect(second.getByRole('heading', { name: 'Meine Termine' })).toBeVisible()
  await context.setOffline(true)
  // Each before it hears of the other.
  const press = (each: Page) =>
    each.evaluate(() => {
      for (const button of document.querySelectorAll('button')) {
        if (button.textContent === 'Logout') button.click()
      }
    })
  await Promise.all([press(page), press(second)])
  for (const each of [page, second]) {
    await expect(each.getByRole('heading', { name: 'Chip dran. Gestempelt.' })).toBeVisible()
    expect(JSON.stringify(await storedTexts(each))).not.toContain(token)
  }
  await context.setOffline(false)
  await expect.poll(() => status(cloud, request, token)).toBe(401)
  await expect.poll(async () => (await storedTexts(second)).localStorage).toBe('{}')
})

test('a browser that wakes the worker ends the session without a page', async ({
  page,
  context,
  request,
  cloud,
}) => {
  const tom = await cloud.person('tom')
  const token = await enter(page, cloud, tom)
  const browser = await context.newCDPSession(page)
  const registered = new Promise<string>(resolve =>
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first !== undefined) resolve(first.registrationId)
    }),
  )
  await browser.send('ServiceWorker.enable')
  const registrationId = await registered
  const wake = (tag: string) =>
    browser.send('ServiceWorker.dispatchSyncEvent', {
      origin: cloud.url,
      registrationId,
      tag,
      lastChance: false,
    })
  await wake('something else')
  expect(await status(cloud, request, token)).toBe(200)
  await wake(`left/${createHash('sha256').update(token).digest('hex')}`)
  await expect.poll(() => status(cloud, request, token)).toBe(401)
})
