import { entry, november } from '../support/entries'
import { judge } from '../support/judge'
import { expectFits } from '../support/look'
import { enter, expect, stopTheClock, TIMES, test, toThisMonth } from '../support/test'

test.use({ serviceWorkers: 'block' })

test.beforeEach(async ({ page, service }) => {
  service.entries = november()
  await stopTheClock(page)
})

test('the table shows the month with its sums, and every flag explains itself', async ({ page, service }) => {
  await enter(page, service.url + TIMES)
  const table = page.getByRole('table', { name: 'Zeiten im November 2026' })
  await expect(table.getByRole('rowheader')).toHaveCount(15)
  await expect(page.getByRole('region', { name: 'Eingestempelt' })).toContainText('3h 12m')
  await expect(page.getByRole('region', { name: 'Monatssumme' })).toContainText(
    '2 unvollständige Einträge zählen noch nicht.',
  )
  // A value that all entries share is stated once: only differences have a column.
  await expect(table.getByRole('columnheader')).toHaveText([
    'Tag',
    'Kommen – Gehen',
    'Pause',
    'Anwesenheit',
    'Abzug',
    'Arbeitszeit',
    'Hinweise',
    'Aktionen',
  ])
  await expect(table.getByRole('row', { name: /^Mittwoch, 18. November/ })).toContainText('9h 06m')
  const flags = table.getByRole('listitem').getByRole('button')
  await expect(flags).toHaveText([
    'Nachgereicht',
    'Überschneidung',
    'Uhrzeit unsicher',
    'Pause fehlt',
    'Kommen fehlt',
    'Kurze Ruhezeit',
    'Anders angezeigt',
    'Über 10 Stunden',
    'Ungewöhnlich lang',
    'Gehen fehlt',
  ])
  await table.getByRole('button', { name: 'Kurze Ruhezeit' }).press('Enter')
  await expect(page.getByText(/weniger als 11\sStunden/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/weniger als 11\sStunden/)).toBeHidden()
})

test('the month stays within its card, whatever the width, and on paper nothing is offered', async ({
  page,
  service,
}) => {
  await enter(page, service.url + TIMES)
  await expect(page.getByRole('link', { name: 'Zum Mi 04.11.' })).toBeVisible()
  for (const width of [901, 1024, 1055, 1100, 1141, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(
      page.getByRole(width > 1140 ? 'table' : 'list', { name: 'Zeiten im November 2026' }),
    ).toBeVisible()
    await expectFits(page, `${width} px`)
    const beyond = await page.evaluate(() => {
      const edge = Math.max(
        ...[...document.querySelectorAll('section')].map(each => each.getBoundingClientRect().right),
      )
      const acts = [...document.querySelectorAll('main button')].map(
        each => each.getBoundingClientRect().right,
      )
      return Math.max(...acts) - edge
    })
    expect(beyond, `${width} px`).toBeLessThanOrEqual(0)
  }
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: 'Korrektur beantragen' })).toBeHidden()
})

test('a day that is not complete is one press away, and has the focus then', async ({ page, service }) => {
  await enter(page, service.url + TIMES)
  await page.getByRole('link', { name: 'Zum Mi 04.11.' }).click()
  const day = page.getByRole('row', { name: /4. November.*fehlt/ })
  await expect(day).toBeInViewport()
  await page.keyboard.press('Tab')
  await expect(day.getByRole('button', { name: 'Gehen fehlt' })).toBeFocused()
})

test('the head of the table stays in sight, below the navigation bar', async ({ page, service }) => {
  await enter(page, service.url + TIMES)
  const head = page.getByRole('columnheader', { name: 'Arbeitszeit' })
  await page.getByRole('row', { name: /Montag, 2. November/ }).scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 4_000)
  await expect(head).toBeInViewport()
  const [bar, line] = await Promise.all([page.getByRole('banner').boundingBox(), head.boundingBox()])
  expect(line?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0) - 1)
})

test('on paper there is the name and the month, and no navigation', async ({ page, service }) => {
  service.answers.set('GET /api/companies/c-1', { body: { id: 'c-1', name: 'Tischlerei Holm' } })
  await enter(page, service.url + TIMES)
  await expect(page.getByRole('table')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('Mia Sommer · Tischlerei Holm').last()).toBeVisible()
  await expect(page.getByText('Zeiten im November 2026, gedruckt am')).toBeVisible()
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Aktualisieren' })).toBeHidden()
  await expect(page.getByRole('table')).toContainText('Fr 20.11.')
})

test('a phone gets a line an entry, targets for a thumb, and no sideways scrolling', async ({
  browser,
  service,
}) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await stopTheClock(page)
  await enter(page, service.url + TIMES)
  const days = page.getByRole('list', { name: 'Zeiten im November 2026' }).locator('> li')
  await expect(days).toHaveCount(15)
  await expect(page.getByRole('table')).toBeHidden()
  await expect(days.nth(1)).toContainText('Donnerstag, 19. November')
  // A day without anything to remark is one line.
  expect((await days.nth(1).boundingBox())?.height).toBeLessThan(56)
  await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(390)
  const small = await page.locator('button:visible, nav a:visible').evaluateAll(targets =>
    targets
      .map(target => {
        const { height } = target.getBoundingClientRect()
        // A remark has a line of its own: there the space around it counts (WCAG 2.2, 2.5.8).
        return { text: target.textContent, height, least: target.closest('li li') === null ? 48 : 40 }
      })
      .filter(({ height, least }) => height < least),
  )
  expect(small).toEqual([])
  await page.getByRole('button', { name: 'Mehr' }).tap()
  await expect(page.getByRole('dialog')).toContainText('Angemeldet als Mia Sommer')
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).tap()
  await expect(page).toHaveURL(`${service.url}/`)
  await context.close()
})

test('a stamp appears by itself, also after the stream was lost', async ({ page, service }) => {
  service.entries = service.entries.filter(each => !each.running)
  await enter(page, service.url + TIMES)
  await expect(page.getByText('Aktualisiert sich von selbst')).toBeVisible()
  service.entries.push(entry('2026-11-20', '07:58', null, { running: true }))
  service.tellUpdate()
  await expect(page.getByRole('region', { name: 'Eingestempelt' })).toBeVisible()
  await service.stop()
  await expect(page.getByText('Keine Verbindung zum Server.')).toBeVisible()
  await expect(page.getByText('Stand vom 20. November, 11:10 Uhr.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Eingestempelt' })).toContainText('zuletzt bekannt')
  service.entries.pop()
  service.entries.push(entry('2026-11-20', '07:58', '11:09', { clockName: 'Lager' }))
  await service.restart()
  await expect(page.getByText('Keine Verbindung zum Server.')).toBeHidden({ timeout: 60_000 })
  await expect(page.getByText('Lager')).toBeVisible()
  await expect(page.getByText('Aktualisiert sich von selbst')).toBeVisible()
  expect(service.listeners).toBe(1)
})

test('the month is in the address, goes back with the browser, and is chosen by keyboard', async ({
  page,
  service,
}) => {
  service.entries.push(entry('2026-02-03', '07:00', '15:00'))
  await enter(page, service.url + TIMES)
  await page.getByRole('button', { name: 'Vorheriger Monat' }).click()
  await expect(page).toHaveURL(/monat=2026-10/)
  await page.getByRole('button', { name: /Oktober 2026/ }).press('Enter')
  const grid = page.getByRole('group', { name: '2026' })
  await expect(grid.getByRole('button', { name: 'Oktober 2026' })).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(grid).toBeHidden()
  await expect(page.getByRole('table', { name: 'Zeiten im Februar 2026' })).toContainText('15:00')
  await page.goBack()
  await expect(page.getByText('Im Oktober 2026 hast du nicht gestempelt.')).toBeVisible()
  await page.getByRole('button', { name: 'Aktueller Monat' }).click()
  await expect(page.getByRole('table', { name: 'Zeiten im November 2026' })).toBeVisible()
})

test('a failure stands where it happened and can be tried again', async ({ page, service }) => {
  service.refuseTimes = 500
  // With its stream open, the page would reload the month without a request of the test.
  service.answers.set('GET /api/events', { status: 500, body: { message: 'Interner Fehler.' } })
  await enter(page, service.url + TIMES)
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Deine Zeiten konnten nicht geladen werden.')
  service.refuseTimes = 0
  await alert.getByRole('button', { name: 'Erneut versuchen' }).click()
  await expect(page.getByRole('table')).toBeVisible()
})

test.describe('in a browser on the other side of the world', () => {
  test.use({ timezoneId: 'Pacific/Kiritimati' })

  test('days stay the days they are', async ({ page, service }) => {
    service.entries = [entry('2026-11-01', '07:00', '15:00'), entry('2026-11-30', '07:00', '15:00')]
    await enter(page, service.url + TIMES)
    await expect(page.getByRole('rowheader')).toContainText(['Mo 30.11.', 'So 01.11.'])
  })
})

test.describe('a window of 320 pixels', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('holds everything, and nothing moves when the month changes', async ({ page, service }) => {
    await enter(page, service.url + TIMES)
    await expect(page.getByRole('region', { name: 'Monatssumme' })).toBeVisible()
    const beyond = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll('body *')].filter(
            each => each.getBoundingClientRect().right > document.documentElement.clientWidth,
          ).length,
      )
    expect(await beyond()).toBe(0)
    const refresh = page.getByRole('button', { name: 'Aktualisieren' })
    const next = page.getByRole('button', { name: 'Nächster Monat' })
    const places = async () => [await refresh.boundingBox(), await next.boundingBox()]
    const placesBefore = await places()
    await page.getByRole('button', { name: 'Vorheriger Monat' }).click()
    await expect(page.getByRole('button', { name: 'Oktober 2026' })).toBeVisible()
    expect(await places()).toEqual(placesBefore)
    expect(await beyond()).toBe(0)
    await page.getByRole('button', { name: 'Oktober 2026' }).click()
    await expect(page.getByRole('button', { name: 'Januar 2026' })).toBeInViewport({ ratio: 1 })
    expect(await beyond()).toBe(0)
    await toThisMonth(page)
    await expect(page.getByRole('list', { name: 'Zeiten im November 2026' })).toBeVisible()
  })
})

test('every state of a month has its words, and a full one fits every window', async ({ page, service }) => {
  await enter(page, service.url + TIMES)
  await expect(page.getByRole('region', { name: 'Monatssumme' })).toBeVisible()
  await judge(page, 'times')
  // The narrowest window that gets the table.
  await page.setViewportSize({ width: 1141, height: 800 })
  await expect(page.getByRole('table')).toBeVisible()
  await expectFits(page, 'times-narrow')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: /November 2026/ }).click()
  await expect(page.getByRole('group')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Vorheriger Monat' }).click()
  await expect(page.getByText('Im Oktober 2026 hast du')).toBeVisible()
  service.refuseTimes = 500
  await page.getByRole('button', { name: 'Vorheriger Monat' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  service.refuseTimes = 0
  service.slowTimes = 600_000
  await page.getByRole('button', { name: 'Vorheriger Monat' }).click()
  await expect(page.getByText('Wird geladen …')).toBeAttached()
  service.slowTimes = 0
  await toThisMonth(page)
  await service.stop()
  await page.getByRole('button', { name: 'Aktualisieren' }).click()
  await expect(page.getByText('Keine Verbindung zum Server.')).toBeVisible()
})
