/** "Meine Termine" in the browser: its looks and states, by keyboard and by thumb, and what it does without a network. */
import type { Locator, Page } from '@playwright/test'
import { addDays, dayOf, longDay } from '../../src/ui/days'
import { installed, keeps } from '../support/device'
import { test } from '../support/installation'
import { judge } from '../support/judge'
import { still } from '../support/look'
import { layOutPlan, refuseHandOvers, takeHandOvers } from '../support/plan'
import { enter, expect, expectSaid, opened, stopTheClock } from '../support/test'

const MONDAY = 'Dienst am Montag, 23. November 2026 übergeben'
const RECIPIENT = 'Empfänger*in auswählen'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Dienst übergeben' })
const calendar = (page: Page) => page.getByRole('table', { name: 'Deine Dienste im November 2026' })
const cell = (page: Page, day: string) => page.locator('td', { has: page.locator(`time[datetime="${day}"]`) })

/** The app is installed, and the device has what it needs offline: the plan, and the colleagues to ask. */
async function ready(page: Page) {
  await installed(page)
  await keeps(page, 'colleagues', 'schedule/ahead', 'swap-requests')
}

test.beforeEach(async ({ page, service }) => {
  layOutPlan(service)
  await stopTheClock(page)
})

test.describe('without a service worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('the dialogs, the address and an empty month', async ({ page, service }) => {
    takeHandOvers(service)
    await enter(page, `${service.url}/dashboard`)
    await page.getByRole('button', { name: MONDAY }).click()
    const dialog = dialogOf(page)
    await expect(dialog.getByText('Montag, 23. November 2026')).toBeVisible()
    await judge(page, 'handover')
    const field = dialog.getByRole('combobox', { name: RECIPIENT })
    await expect(field).toBeEnabled()
    await field.click()
    await expect(page.getByRole('option', { name: 'Clara Voss (nicht verfügbar)' })).toBeVisible()
    await page.getByRole('option', { name: 'Ben Kurz' }).click()
    refuseHandOvers(
      service,
      409,
      'not_available',
      'Die ausgewählte Person ist an diesem Tag nicht verfügbar.',
    )
    await dialog.getByRole('button', { name: 'Anfrage senden' }).click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: /^Zurückziehen: Donnerstag, 26. November/ }).click()
    await expect(page.getByRole('dialog', { name: 'Anfrage zurückziehen?' })).toBeVisible()
    await judge(page, 'withdraw')
    await page.keyboard.press('Escape')
    service.acts.set('POST /api/calendar-address', () => ({
      status: 201,
      body: { url: 'https://zeit.example/api/calendar/3vQx8sWd1Jt0bYkPzN5uMhRaCg7Lf2Ee.ics' },
    }))
    await page.getByRole('button', { name: 'Neue Adresse' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Neue Adresse' }).click()
    await expect(page.getByText('Sie wird nur jetzt gezeigt.')).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
    for (let month = 0; month < 2; month += 1)
      await page.getByRole('button', { name: 'Nächster Monat' }).click()
    await expect(page.getByText('Im Januar 2027 hast du keinen Dienst.')).toBeVisible()
  })

  test('by keyboard alone: from the next duty to its day, and to whom it is handed over', async ({
    page,
    service,
  }) => {
    const got = takeHandOvers(service)
    await page.clock.setFixedTime(new Date('2026-11-22T10:00:00Z'))
    await enter(page, `${service.url}/dashboard`)
    const next = page.getByRole('button', { name: 'Morgen, 07:00–15:30' })
    await next.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: MONDAY })).toBeFocused()
    await page.keyboard.press('Enter')
    const dialog = dialogOf(page)
    const recipient = dialog.getByRole('combobox', { name: RECIPIENT })
    await expect(recipient).toBeFocused()
    const [ben, emre] = ['Ben Kurz', 'Emre Yıldız'].map(name =>
      page.getByRole('option', { name, includeHidden: true }),
    ) as [Locator, Locator]
    await expect(ben).toBeAttached()
    await page.keyboard.press('ArrowDown')
    await expect(recipient).toHaveAttribute('aria-expanded', 'true')
    // A field knows its list a moment after the list is in the document: an earlier key opens it before its first row.
    if ((await ben.getAttribute('data-combobox-selected')) === null) await page.keyboard.press('ArrowDown')
    await expect(ben).toHaveAttribute('data-combobox-selected')
    await page.keyboard.press('ArrowDown')
    await expect(emre).toHaveAttribute('data-combobox-selected')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Ausgewählt: Emre Yıldız')).toBeVisible()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(dialog.getByRole('button', { name: 'Anfrage senden' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expectSaid(page, 'Anfrage gesendet.')
    await expect(dialog).toBeHidden()
    expect(got.map(({ body }) => body)).toEqual([{ date: '2026-11-23', from: 'u-1', to: 'u-6' }])
    await expect(cell(page, '2026-11-23')).toContainText('Anfrage offen')
    await expect(cell(page, '2026-11-23').getByRole('button')).toHaveCount(0)
    await expect(page.locator('body')).not.toBeFocused()
    const requests = page.getByRole('region', { name: 'Offene Anfragen' })
    await expect(requests.getByRole('listitem').first()).toContainText('Montag, 23. November, 07:00–15:30')
  })

  test('the dialog closes by Escape, beside it and by its button, and begins anew', async ({
    page,
    service,
  }) => {
    await enter(page, `${service.url}/dashboard`)
    const duty = page.getByRole('button', { name: MONDAY })
    const dialog = dialogOf(page)
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 400),
      () => dialog.getByRole('button', { name: 'Abbrechen' }).click(),
    ]) {
      await duty.click()
      await expect(dialog).toBeVisible()
      await expect(dialog.getByText('Ausgewählt:')).toBeHidden()
      await expect(dialog.getByRole('combobox', { name: RECIPIENT })).toBeEnabled()
      await dialog.getByRole('combobox', { name: RECIPIENT }).click()
      await page.getByRole('option', { name: 'Ben Kurz' }).click()
      await expect(dialog.getByText('Ausgewählt: Ben Kurz')).toBeVisible()
      await still(page)
      expect((await dialog.boundingBox())?.width).toBe(680)
      await leave()
      await expect(dialog).toBeHidden()
      await expect(duty).toBeFocused()
    }
  })

  test('every refusal is said in the dialog, which stays', async ({ page, service }) => {
    await enter(page, `${service.url}/dashboard`)
    await page.getByRole('button', { name: MONDAY }).click()
    const dialog = await opened(dialogOf(page))
    const send = dialog.getByRole('button', { name: 'Anfrage senden' })
    await expect(send).toBeDisabled()
    await send.press('Enter')
    await expect(dialog.getByRole('alert')).toHaveText('Bitte Kollegin/Kollegen auswählen.')
    await dialog.getByRole('combobox', { name: RECIPIENT }).click()
    await page.getByRole('option', { name: 'Ben Kurz' }).click()
    for (const [status, code, message] of [
      [409, 'not_available', 'Die ausgewählte Person ist an diesem Tag nicht verfügbar.'],
      [409, 'already_requested', 'Für diesen Dienst ist bereits eine Übergabe angefragt.'],
      [409, 'day_is_over', 'Ein Dienst, der schon begonnen hat, kann nicht mehr übergeben werden.'],
      [404, 'no_duty', 'An diesem Tag hast du keinen Dienst.'],
      [422, 'not_an_employee', 'Dienste können nur an Mitarbeitende mit Rolle „user“ übergeben werden.'],
      [403, 'forbidden', 'Dafür fehlt dir die Berechtigung.'],
    ] as const) {
      refuseHandOvers(service, status, code, message)
      await send.click()
      await expect(dialog.getByRole('alert')).toHaveText(message)
    }
    takeHandOvers(service)
    await send.click()
    await expectSaid(page, 'Anfrage gesendet.')
    await expect(dialog).toBeHidden()
  })

  test('a request is taken back once that is confirmed, and the day can be pressed again', async ({
    page,
    service,
  }) => {
    await enter(page, `${service.url}/dashboard`)
    await expect(cell(page, '2026-11-26')).toContainText('Anfrage offen')
    service.acts.set('DELETE /api/schedule/swap-requests/s-1', () => {
      service.answers.set('GET /api/schedule/my-swap-requests', { body: [] })
      return { status: 200, body: null }
    })
    await page.getByRole('button', { name: /^Zurückziehen/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Zurückziehen' }).click()
    await expectSaid(page, 'Anfrage zurückgezogen.')
    await expect(page.getByRole('heading', { name: 'Offene Anfragen' })).toBeHidden()
    await expect(cell(page, '2026-11-26').getByRole('button')).toBeVisible()
  })

  test('the month is in the address, and a change appears by itself', async ({ page, service }) => {
    await enter(page, `${service.url}/dashboard`)
    await expect(calendar(page)).toBeVisible()
    await page.getByRole('button', { name: 'Nächster Monat' }).click()
    await expect(page).toHaveURL(/monat=2026-12/)
    await page.goBack()
    await expect(calendar(page)).toBeVisible()
    await expect(page.getByText('Aktualisiert sich von selbst')).toBeVisible()
    const duties = service.answers.get('GET /api/companies/c-1/schedule')?.body as { date: string }[]
    service.answers.set('GET /api/companies/c-1/schedule', {
      body: duties.filter(each => each.date !== '2026-11-24'),
    })
    service.tellUpdate('plan_update')
    await expect(cell(page, '2026-11-24').getByText('Dienst', { exact: true })).toBeHidden()
  })

  test('on paper there is the month, and nothing to press', async ({ page, service }) => {
    await enter(page, `${service.url}/dashboard`)
    await expect(cell(page, '2026-11-26')).toContainText('Anfrage offen')
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByText('Dienste im November 2026, gedruckt am')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Dienste im eigenen Kalender' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Zurückziehen' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Nächster Monat' })).toBeHidden()
  })

  test.describe('with a thumb', () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

    test('the month is a list, its targets are large, and a press hands a duty over', async ({
      page,
      service,
    }) => {
      const got = takeHandOvers(service)
      await enter(page, `${service.url}/dashboard`)
      await expect(page.getByRole('button', { name: 'Heute, 07:00–15:30' })).toBeVisible()
      await expect(page.getByRole('heading', { name: /^Diese Woche/ })).toBeVisible()
      await expect(calendar(page)).toBeHidden()
      const small = await page.locator('main button:visible, nav a:visible').evaluateAll(targets =>
        targets
          .map(target => {
            // A card's whole surface takes the press.
            const { height } = (
              getComputedStyle(target, '::after').position === 'absolute'
                ? (target.closest('section') ?? target)
                : target
            ).getBoundingClientRect()
            return { text: target.textContent, height }
          })
          .filter(({ height }) => height < 48),
      )
      expect(small).toEqual([])
      await page.getByRole('button', { name: MONDAY }).tap()
      const dialog = dialogOf(page)
      await expect(dialog.getByRole('combobox', { name: RECIPIENT })).toBeEnabled()
      await dialog.getByRole('combobox', { name: RECIPIENT }).tap()
      await page.getByRole('option', { name: 'Ben Kurz' }).tap()
      await dialog.getByRole('button', { name: 'Anfrage senden' }).tap()
      await expect(dialog).toBeHidden()
      expect(got).toHaveLength(1)
      const monday = page.locator('li', { has: page.locator('time[datetime="2026-11-23"]') })
      await expect(monday).toContainText('Anfrage offen')
    })
  })

  test.describe('in a browser on the other side of the world', () => {
    test.use({ timezoneId: 'Pacific/Kiritimati' })

    test('days stay the days they are', async ({ page, service }) => {
      await enter(page, `${service.url}/dashboard`)
      await expect(page.locator('[aria-current=date] time')).toHaveAttribute('datetime', '2026-11-20')
      await expect(cell(page, '2026-11-02')).toContainText('Dienst')
      await expect(page.getByRole('button', { name: 'Heute, 07:00–15:30' })).toBeVisible()
    })
  })
})

test('what is loading, what failed, and what is known without a connection', async ({ page, service }) => {
  service.acts.set('GET /api/companies/c-1/schedule', () => ({
    status: 500,
    body: { message: 'Nein.' },
  }))
  await enter(page, `${service.url}/dashboard`)
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Deine Termine konnten nicht geladen werden.')
  service.acts.clear()
  await alert.getByRole('button', { name: 'Erneut versuchen' }).click()
  await expect(page.getByRole('heading', { name: 'Offene Anfragen' })).toBeVisible()
  await ready(page)
  await service.stop()
  await expect(page.getByText('Keine Verbindung zum Server.')).toBeVisible()
  await page.getByRole('button', { name: MONDAY }).click()
  await dialogOf(page).getByRole('combobox', { name: RECIPIENT }).click()
  await page.getByRole('option', { name: 'Ben Kurz' }).click()
  await dialogOf(page).getByRole('button', { name: 'Anfrage senden' }).click()
  await expectSaid(page, 'Gespeichert. Wird gesendet, sobald der Server antwortet.')
  await expect(page.getByText('Übergabeanfrage für Montag, 23. November an Ben Kurz')).toBeVisible()
})

test('a hand-over asked for without a network is sent once, though the page was closed and an answer lost', async ({
  page,
  context,
  service,
}) => {
  await enter(page, `${service.url}/dashboard`)
  await expect(page.getByRole('heading', { name: 'Offene Anfragen' })).toBeVisible()
  await ready(page)

  await service.stop()
  await page.reload()
  await expect(page.getByText('Keine Verbindung zum Server.')).toBeVisible()
  await page.getByRole('button', { name: MONDAY }).click()
  const dialog = dialogOf(page)
  await dialog.getByRole('combobox', { name: RECIPIENT }).click()
  await page.getByRole('option', { name: 'Emre Yıldız' }).click()
  await dialog.getByRole('button', { name: 'Anfrage senden' }).click()
  await expectSaid(page, 'Gespeichert. Wird gesendet, sobald der Server antwortet.')
  await expect(cell(page, '2026-11-23')).toContainText('wird gesendet')
  await page.close()

  const reopened = await context.newPage()
  await stopTheClock(reopened)
  await reopened.goto(`${service.url}/dashboard`)
  await expect(cell(reopened, '2026-11-23')).toContainText('wird gesendet')
  await expect(cell(reopened, '2026-11-23').getByRole('button')).toHaveCount(0)
  await expect(reopened.getByText('Übergabeanfrage für Montag, 23. November an Emre Yıldız')).toBeVisible()

  const got = takeHandOvers(service, 1)
  await service.restart()
  await expect(cell(reopened, '2026-11-23')).toContainText('Anfrage offen', { timeout: 60_000 })
  await expect(reopened.getByText('an Emre Yıldız', { exact: true })).toBeVisible()
  await expect(reopened.getByText('Wird gesendet, sobald der Server antwortet')).toBeHidden()
  await expect.poll(() => got.length).toBe(2)
  expect(got[0]?.key).toMatch(/^[0-9a-f-]{32,}$/)
  expect(got[1]).toEqual(got[0])
  await reopened.reload()
  await expect(cell(reopened, '2026-11-23')).toContainText('Anfrage offen')
  expect(got).toHaveLength(2)
})

test('what was refused later is said where it belongs, and can be asked of somebody else', async ({
  page,
  service,
}) => {
  await enter(page, `${service.url}/dashboard`)
  await expect(page.getByRole('heading', { name: 'Offene Anfragen' })).toBeVisible()
  await ready(page)
  await service.stop()
  await expect(page.getByText('Keine Verbindung zum Server.')).toBeVisible()
  await page.getByRole('button', { name: MONDAY }).click()
  const dialog = dialogOf(page)
  await dialog.getByRole('combobox', { name: RECIPIENT }).click()
  await page.getByRole('option', { name: 'Clara Voss' }).click()
  await dialog.getByRole('button', { name: 'Anfrage senden' }).click()
  await expect(cell(page, '2026-11-23')).toContainText('wird gesendet')
  refuseHandOvers(service, 409, 'not_available', 'Die ausgewählte Person ist an diesem Tag nicht verfügbar.')
  await service.restart()
  const notice = page.getByRole('status').filter({ hasText: 'Nicht angenommen' })
  await expect(notice).toContainText('Die ausgewählte Person ist an diesem Tag nicht verfügbar.', {
    timeout: 60_000,
  })
  takeHandOvers(service)
  await notice.getByRole('button', { name: 'Noch einmal bearbeiten' }).click()
  await expect(dialog.getByText('Ausgewählt: Clara Voss')).toBeVisible()
  await dialog.getByRole('combobox', { name: RECIPIENT }).click()
  await page.getByRole('option', { name: 'Ben Kurz' }).click()
  await dialog.getByRole('button', { name: 'Anfrage senden' }).click()
  await expect(cell(page, '2026-11-23')).toContainText('Anfrage offen')
  await expect(notice).toBeHidden()
})

test.describe('on the real service', () => {
  test('a duty is handed over and taken, and a calendar finds the others', async ({
    browser,
    request,
    cloud,
  }) => {
    const mia = await cloud.person('mia')
    const ben = await cloud.person('ben')
    const today = dayOf(new Date())
    const [tomorrow, later] = [addDays(today, 1), addDays(today, 8)]
    await cloud.duty(mia, tomorrow, '07:00', '15:30')
    await cloud.duty(mia, later, '22:00', '06:00')
    const page = await (await browser.newContext({ locale: 'de-DE' })).newPage()
    await cloud.enter(page, mia, '/dashboard')
    // Leads to the duty's month, also where this one ends today.
    await page.getByRole('button', { name: 'Morgen, 07:00–15:30' }).click()
    await expect(page.getByText('Aktualisiert sich von selbst')).toBeVisible()

    await page.getByRole('button', { name: `am ${longDay(tomorrow)} übergeben` }).click()
    const dialog = dialogOf(page)
    await dialog.getByRole('combobox', { name: RECIPIENT }).click()
    await page.getByRole('option', { name: 'ben' }).click()
    await dialog.getByRole('button', { name: 'Anfrage senden' }).click()
    await expect(dialog).toBeHidden()
    await expect(cell(page, tomorrow)).toContainText('Anfrage offen')
    await expect(page.getByRole('region', { name: 'Offene Anfragen' })).toContainText('an ben')

    const login = await request.post(`${cloud.url}/api/login`, { data: ben })
    const headers = { Authorization: `Bearer ${(await login.json()).token}` }
    const [offered] = await (await request.get(`${cloud.url}/api/schedule/swap-requests`, { headers })).json()
    const acceptance = await request.post(`${cloud.url}/api/schedule/swap-requests/${offered.id}/accept`, {
      headers,
    })
    expect(acceptance.status()).toBe(200)
    await expect(page.getByRole('heading', { name: 'Offene Anfragen' })).toBeHidden()
    await expect(cell(page, tomorrow).getByText('Dienst', { exact: true })).toBeHidden()
    await expect(page.getByRole('button', { name: /22:00–06:00 am Folgetag/ })).toBeVisible()

    await page.getByRole('button', { name: 'Adresse erstellen' }).click()
    const address = (await page.locator('code').textContent()) ?? ''
    const calendar = await (await request.get(address)).text()
    expect(calendar.match(/BEGIN:VEVENT/g)).toHaveLength(1)
    expect(calendar).toContain(later.replaceAll('-', ''))
    await page.getByRole('button', { name: 'Adresse aufheben' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Adresse aufheben' }).click()
    await expect(page.getByText('Kalenderadresse aufgehoben.')).toBeVisible()
    expect((await request.get(address)).status()).toBe(404)
    await page.context().close()
  })
})
