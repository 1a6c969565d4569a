/**
 * Requests without a connection, on the real service: it dies, the page is closed, and every first answer gets lost.
 */
import type { APIRequestContext, Page } from '@playwright/test'
import { addDays, dayOf } from '../../src/ui/days'
import { Cloud } from '../support/cloud'
import { installed, keeps } from '../support/device'
import { comeBack, expect, type Session, test } from '../support/test'
import { Wire } from '../support/wire'

const QUEUED = 'Gespeichert. Wird gesendet, sobald der Server antwortet.'
const WAITS = /Wird gesendet, sobald der Server antwortet \(/

const dialogOf = (page: Page) => page.getByRole('dialog')
const germanDate = (day: string) => day.split('-').reverse().join('.')
const tab = (wire: Wire, key: string) => `${wire.url}/dashboard?tab=${key}`

test('all that was asked for without the service is there once, though the page was closed and every first answer lost', async ({
  context,
  request,
}) => {
  test.setTimeout(300_000)
  const cloud = new Cloud(false)
  await cloud.start()
  const wire = new Wire(cloud.url)
  await wire.start()
  try {
    const today = dayOf(new Date())
    const [yesterday, tomorrow, ill] = [-1, 1, 2].map(days => addDays(today, days)) as [
      string,
      string,
      string,
    ]
    // Nobody takes leave of a Saturday.
    const away = addDays(today, 30 + ((8 - new Date(addDays(today, 30)).getUTCDay()) % 7))
    await cloud.giveVacation(30)
    const [mia, , boss] = [
      await cloud.person('mia'),
      await cloud.person('ben'),
      await cloud.person('chef', 'companyAdmin'),
    ]
    await cloud.duty(mia, tomorrow, '07:00', '15:30')
    const session = await cloud.logIn(mia)
    const api = caller(request, cloud, session)
    const sick = { startDate: today, endDate: today }
    expect((await api.post('/api/absences', sick)).status()).toBe(201)

    const page = await context.newPage()
    await comeBack(page, `${wire.url}/dashboard`, session)
    await expect(page.getByRole('button', { name: 'Morgen, 07:00–15:30' })).toBeVisible()
    await installed(page)
    await keeps(page, 'schedule/ahead', 'swap-requests', 'colleagues')
    await page.goto(tab(wire, 'my_absences'))
    await keeps(page, 'vacation-requests', 'vacation-policy', `absences/${today.slice(0, 7)}`)
    await page.goto(tab(wire, 'my_times'))
    await keeps(page, 'corrections')
    await page.goto(tab(wire, 'my_messages'))
    await keeps(page, 'messages')

    await cloud.kill()
    await askForAll(page, wire, { yesterday, ill, away })
    await page.close()

    const reopened = await context.newPage()
    await reopened.goto(tab(wire, 'my_absences'))
    await expect(reopened.getByText('Keine Verbindung zum Server.')).toBeVisible()
    await expect(reopened.getByText(WAITS)).toHaveCount(3)
    await reopened.goto(tab(wire, 'my_times'))
    await expect(reopened.getByText(WAITS)).toHaveCount(1)
    await reopened.goto(tab(wire, 'my_schedule'))
    await expect(reopened.getByText(WAITS)).toHaveCount(1)

    wire.loses = true
    await cloud.serve()
    await expect(reopened.getByText('Anfrage offen').first()).toBeVisible({ timeout: 60_000 })
    await expect.poll(() => wire.taken.length, { timeout: 180_000 }).toBe(12)
    await reopened.goto(tab(wire, 'my_absences'))
    await expect(reopened.getByText('Offen', { exact: true }).first()).toBeVisible()
    await expect(reopened.getByText(WAITS)).toHaveCount(0)

    const keys = new Map<string, Set<string>>()
    for (const { path, key } of wire.taken) keys.set(path, new Set([...(keys.get(path) ?? []), key]))
    expect(keys.size).toBe(6)
    for (const of of keys.values()) expect(of.size).toBe(1)

    const leave = await api.list('/api/vacation-requests/mine')
    expect(leave.map(({ startDate, reason }) => [startDate, reason])).toEqual([[away, 'Umzug']])
    const corrections = await api.list('/api/time-corrections/mine')
    expect(corrections.map(({ date, status }) => [date, status])).toEqual([[yesterday, 'pending']])
    expect(await api.list('/api/schedule/my-swap-requests')).toHaveLength(1)
    const absences = await api.list(`/api/users/${mia.id}/absences?from=${today}&to=${ill}`)
    expect(absences.map(({ date }) => String(date)).sort()).toEqual([today, ill])
    const ownMessages = (await api.list('/api/messages')) as unknown[]
    expect(ownMessages).toEqual([])
    const messages = await caller(request, cloud, await cloud.logIn(boss)).list('/api/messages')
    expect(new Set(messages.map(({ body }) => body)).size).toBe(messages.length)
    // Two Krankmeldungen, leave and a correction; a hand-over is no business of theirs yet.
    expect(messages).toHaveLength(4)
    const bodies = messages.map(({ body }) => body).join('\n')
    expect(bodies.match(/krankgemeldet/g)).toHaveLength(2)
    // The message is added to the unread notice of the illness, and sent once.
    expect(bodies.match(/eine Nachricht geschrieben/g)).toHaveLength(1)
  } finally {
    await wire.stop()
    await cloud.stop()
  }
})

interface Days {
  yesterday: string
  ill: string
  away: string
}

/** One of everything that waits for the network. */
async function askForAll(page: Page, wire: Wire, { yesterday, ill, away }: Days) {
  const dialog = dialogOf(page)
  await page.goto(tab(wire, 'my_schedule'))
  await expect(page.getByText('Keine Verbindung zum Server.')).toBeVisible()
  await page
    .getByRole('button', { name: /^Dienst .* übergeben$/ })
    .first()
    .click()
  await dialog.getByRole('combobox').click()
  await page.getByRole('option', { name: 'ben' }).click()
  await dialog.getByRole('button', { name: 'Anfrage senden' }).click()
  await expect(page.getByText(QUEUED)).toBeVisible()

  await page.goto(tab(wire, 'my_absences'))
  await page.getByRole('button', { name: 'Urlaub oder Wunschfrei beantragen' }).click()
  await dialog.getByLabel('Erster Tag', { exact: true }).fill(germanDate(away))
  await page.keyboard.press('Tab')
  await dialog.getByLabel('Grund (freiwillig)').fill('Umzug')
  await dialog.getByRole('button', { name: 'Antrag einreichen' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Krank melden', exact: true }).click()
  await dialog.getByLabel('Krank ab').fill(germanDate(ill))
  await page.keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Krank melden' }).click()
  await expect(dialog).toBeHidden()
  await page
    .getByRole('button', { name: /^Nachricht an die Verwaltung/ })
    .first()
    .click()
  await dialog.getByLabel('Nachricht', { exact: true }).fill('Ich war beim Arzt.')
  await dialog.getByRole('button', { name: 'Nachricht senden' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(WAITS)).toHaveCount(3)

  await page.goto(tab(wire, 'my_times'))
  await page.getByRole('button', { name: 'Korrektur beantragen' }).click()
  await dialog.getByLabel('Tag', { exact: true }).fill(germanDate(yesterday))
  await page.keyboard.press('Tab')
  await dialog.getByLabel('Kommen: Stunden').pressSequentially('0800')
  await dialog.getByLabel('Gehen: Stunden').pressSequentially('1630')
  await dialog.getByRole('button', { name: 'Antrag senden' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(WAITS)).toHaveCount(1)

  await page.goto(tab(wire, 'my_messages'))
  await page
    .getByRole('button', { name: /^Als gelesen markieren/ })
    .first()
    .click()
  await expect(page.getByText('Du hast alles gelesen.')).toBeVisible()
}

/** Calls the service itself, in that session. */
function caller(request: APIRequestContext, cloud: Cloud, { token }: Session) {
  const headers = { Authorization: `Bearer ${token}` }
  return {
    post: (path: string, data: object) => request.post(cloud.url + path, { headers, data }),
    list: async (path: string): Promise<Record<string, unknown>[]> => {
      const answer = await request.get(cloud.url + path, { headers })
      expect(answer.status()).toBe(200)
      return answer.json()
    },
  }
}
