import type { Page } from '@playwright/test'
import { WINDOWED } from '../../playwright.config'
import { MESSAGES, NOTICES, samples } from '../../src/features/messages/samples'
import { installed } from '../support/device'
import { judge } from '../support/judge'
import type { Asked, Service } from '../support/service'
import { enter, expect, expectSaid, opened, stopTheClock, test } from '../support/test'

test.use({ launchOptions: WINDOWED })

const ADDRESS = '/dashboard?tab=my_messages'
const OFFERS = 'GET /api/schedule/swap-requests'
const INBOX = 'GET /api/messages'

interface Laid {
  offers: { id: string }[]
  messages: { id: string }[]
  /** Returns the requests, in order. */
  asked: (Asked & { call: string })[]
}

/** An inbox and two hand-overs, which behave as the service's do. */
function layOut(service: Service): Laid {
  const answers = samples[0]?.answers ?? {}
  const laid: Laid = { offers: [...(answers[OFFERS] as Laid['offers'])], messages: [...MESSAGES], asked: [] }
  const settle = () => {
    service.answers.set(OFFERS, { body: laid.offers })
    service.answers.set(INBOX, { body: laid.messages })
  }
  const act = (call: string, done: () => { status?: number; body: unknown }) =>
    service.acts.set(call, asked => {
      laid.asked.push({ ...asked, call })
      const answer = done()
      settle()
      return answer
    })
  for (const { id } of laid.offers) {
    for (const answer of ['accept', 'decline']) {
      act(`POST /api/schedule/swap-requests/${id}/${answer}`, () => {
        laid.offers = laid.offers.filter(offer => offer.id !== id)
        return { body: {} }
      })
    }
  }
  for (const { id } of laid.messages) {
    act(`POST /api/messages/${id}/read`, () => {
      laid.messages = laid.messages.filter(message => message.id !== id)
      return { status: 204, body: null }
    })
  }
  settle()
  service.answers.set('GET /api/notifications', { body: NOTICES })
  service.answers.set('GET /api/companies/c-1', { body: { id: 'c-1', name: 'Tischlerei Holm' } })
  return laid
}

/** Returns the badges of the app's icon, in order. */
async function watchBadge(page: Page) {
  await page.addInitScript(() => {
    const set: number[] = []
    Object.assign(window, { badges: set })
    Object.assign(Navigator.prototype, {
      setAppBadge: (count: number) => Promise.resolve(void set.push(count)),
      clearAppBadge: () => Promise.resolve(void set.push(0)),
    })
  })
  return () => page.evaluate(() => (window as unknown as { badges: number[] }).badges.at(-1))
}

const offer = (page: Page, answer: string, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${answer}: Dienst von ${name}`) })

test.describe('without a service worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('hand-overs are answered by keyboard, and the menu counts those that are left', async ({
    page,
    service,
  }) => {
    await stopTheClock(page)
    const laid = layOut(service)
    const badge = await watchBadge(page)
    await enter(page, service.url + ADDRESS)
    const menu = page.getByRole('navigation', { name: 'Mein Bereich' })
    await expect(menu.getByText('2 offene Übergaben')).toBeAttached()
    await expect(page.getByText('Benachrichtigungen')).toBeVisible()
    expect(await badge()).toBe(2)

    await offer(page, 'Annehmen', 'Jonas').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Dienst übernehmen' })
    await expect(dialog).toContainText('Dienst am Dienstag, 24. November 2026 übernehmen?')
    await judge(page, 'messages-accept')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(offer(page, 'Annehmen', 'Jonas')).toBeFocused()
    expect(laid.asked).toEqual([])

    await page.keyboard.press('Enter')
    await opened(dialog)
    await dialog.getByRole('button', { name: 'Annehmen' }).press('Enter')
    await expectSaid(page, 'Dienst am Dienstag, 24. November 2026 übernommen.')
    await expect(page.getByText('Jonas Weber')).toBeHidden()
    await expect(menu.getByText('1 offene Übergabe')).toBeAttached()
    expect(await badge()).toBe(1)

    const withdrawn = {
      status: 409,
      body: { status: 409, code: 'withdrawn', message: 'Diese Anfrage wurde zurückgezogen.' },
    }
    service.acts.set('POST /api/schedule/swap-requests/o-2/decline', () => withdrawn)
    await offer(page, 'Ablehnen', 'Max').press('Enter')
    await expect(page.getByRole('alert')).toHaveText(
      'Antwort fehlgeschlagen: Diese Anfrage wurde zurückgezogen.',
    )
    await expect(menu.getByText('1 offene Übergabe')).toBeAttached()
    // As if it were deleted on the service and the page notified.
    service.answers.set(OFFERS, { body: [] })
    service.tellUpdate('messages_update')
    await expect(menu.getByText('1 offene Übergabe')).toHaveCount(0)
    await expect(offer(page, 'Ablehnen', 'Max')).toBeHidden()
    expect(await badge()).toBe(0)
    await expect
      .poll(() => laid.asked.map(({ call }) => call))
      .toEqual(['POST /api/schedule/swap-requests/o-1/accept'])
  })

  test('messages go when they are read, one by one or all, and what is empty says so', async ({
    page,
    service,
  }) => {
    await stopTheClock(page)
    const laid = layOut(service)
    service.answers.set(OFFERS, { body: [] })
    service.acts.set('POST /api/messages/read', asked => {
      laid.asked.push({ ...asked, call: 'POST /api/messages/read' })
      service.answers.set(INBOX, { body: [] })
      return { status: 204, body: null }
    })
    await enter(page, service.url + ADDRESS)
    const inbox = page.getByRole('region', { name: /^Eingang/ })
    await expect(inbox.getByRole('listitem')).toHaveCount(5)
    await inbox.getByRole('button', { name: 'Als gelesen markieren: Urlaub genehmigt' }).press('Enter')
    await expect(inbox.getByRole('listitem')).toHaveCount(4)
    await expect(
      inbox.getByRole('button', { name: 'Als gelesen markieren: Übergabe abgelehnt' }),
    ).toBeFocused()
    await inbox.getByRole('button', { name: 'Alle gelesen' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Alle als gelesen markieren' })
    await expect(dialog).toContainText('4 Nachrichten stehen dann nicht mehr im Eingang.')
    await judge(page, 'messages-all')
    await dialog.getByRole('button', { name: 'Als gelesen markieren' }).press('Enter')
    await expect(page.getByText('Du hast alles gelesen.')).toBeVisible()
    await expect(page.getByText('Benachrichtigungen')).toBeVisible()
    await expect
      .poll(() => laid.asked.map(({ call }) => call))
      .toEqual(['POST /api/messages/m-1/read', 'POST /api/messages/read'])
    expect(laid.asked[1]?.body).toEqual({ ids: ['m-2', 'm-3', 'm-4', 'm-5'] })
  })
})

test('without the service it is read, marks wait for it and are sent once', async ({ page, service }) => {
  await stopTheClock(page)
  const laid = layOut(service)
  await enter(page, service.url + ADDRESS)
  await expect(page.getByText('Urlaub genehmigt')).toBeVisible()
  await installed(page)
  await service.stop()
  await expect(page.getByText('Keine Verbindung zum Server.')).toBeVisible()
  await expect(offer(page, 'Annehmen', 'Jonas')).toBeDisabled()
  await page.getByRole('button', { name: 'Als gelesen markieren: Urlaub genehmigt' }).press('Enter')
  await expectSaid(page, 'Gespeichert. Wird gesendet, sobald der Server antwortet.')
  await expect(page.getByRole('heading', { name: 'Urlaub genehmigt' })).toBeHidden()
  // The first answer is lost on its way.
  const read = service.acts.get('POST /api/messages/m-1/read')
  const keys: (string | undefined)[] = []
  service.acts.set('POST /api/messages/m-1/read', asked => {
    keys.push(asked.key)
    return keys.length === 1 ? null : (read?.(asked) ?? null)
  })
  await service.restart()
  await expect(page.getByText('Keine Verbindung zum Server.')).toBeHidden({ timeout: 60_000 })
  await expect.poll(() => laid.asked.length, { timeout: 60_000 }).toBe(1)
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f-]{32,36}$/)
  await expect(page.getByRole('heading', { name: 'Urlaub genehmigt' })).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Übergabe abgelehnt' })).toBeVisible()
})

test.describe('notices', () => {
  test.use({ permissions: ['notifications'] })

  /** The browser's push service is out of reach here: the subscription is the page's own. */
  async function standInForPush(page: Page) {
    await page.addInitScript(() => {
      let subscription: object | null = null
      Object.assign(PushManager.prototype, {
        getSubscription: async () => subscription,
        subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
          subscription = {
            endpoint: 'https://push.example/1',
            options: { applicationServerKey: applicationServerKey.buffer },
            toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }),
            unsubscribe: async () => {
              subscription = null
              return true
            },
          }
          Object.assign(window, { subscribed: () => subscription !== null })
          return subscription
        },
      })
    })
  }

  test('are chosen by keyboard; push names this browser, again in each session, and goes with the logout', async ({
    page,
    service,
  }) => {
    layOut(service)
    await standInForPush(page)
    let notices = { ...NOTICES, push: { ...NOTICES.push }, mail: { ...NOTICES.mail } }
    const sentBodies: unknown[] = []
    service.acts.set('PUT /api/notifications', ({ body }) => {
      notices = { ...notices, push: { ...notices.push, ...(body.push as object) } }
      service.answers.set('GET /api/notifications', { body: notices })
      return { body: notices }
    })
    service.acts.set('POST /api/push/subscriptions', ({ body }) => {
      sentBodies.push(body)
      return { status: 201, body: { id: 's-1' } }
    })
    await enter(page, service.url + ADDRESS)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    const tick = page.getByRole('checkbox', { name: 'Übergaben: Push auf diesem Gerät' })
    await expect(tick).toBeEnabled()
    await tick.press('Space')
    await expect(page.getByText('Dieses Gerät empfängt Push.')).toBeVisible()
    await expect(tick).toBeChecked()
    await expect
      .poll(() => sentBodies)
      .toEqual([{ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }])
    await page.reload()
    // The app names it, and so does this page, unless the app is just doing that.
    await expect.poll(() => sentBodies.length).toBeGreaterThan(1)
    await expect(tick).toBeChecked()
    expect(new Set(sentBodies.map(each => JSON.stringify(each))).size).toBe(1)
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { name: 'Chip dran. Gestempelt.' })).toBeVisible()
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { subscribed: () => boolean }).subscribed()))
      .toBe(false)
    expect(await page.evaluate(() => localStorage.getItem('push'))).toBeNull()
  })

  test('that come say that there is something and nothing else', async ({ page, context, service }) => {
    await enter(page, `${service.url}/dashboard`)
    await installed(page)
    const devtools = await context.newCDPSession(page)
    const registered = new Promise<string>(resolve => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [first] = registrations
        if (first !== undefined) resolve(first.registrationId)
      })
    })
    await devtools.send('ServiceWorker.enable')
    const registrationId = await registered
    for (const data of ['', 'secret'])
      await devtools.send('ServiceWorker.deliverPushMessage', { origin: service.url, registrationId, data })
    const shownNotifications = () =>
      page.evaluate(async () => {
        const worker = await navigator.serviceWorker.ready
        return (await worker.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }))
      })
    await expect.poll(shownNotifications).toEqual([{ title: 'Neue Nachricht', body: '', tag: 'message' }])
  })
})
