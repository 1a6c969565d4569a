/** The own absences: asking, being ill, handing a note in, and all of it without the service. */
import { randomBytes } from 'node:crypto'
import type { Page, Request } from '@playwright/test'
import { samples } from '../../src/features/absences/samples'
import { installed } from '../support/device'
import { test } from '../support/installation'
import { judge } from '../support/judge'
import type { Service } from '../support/service'
import { enter, expect, expectSaid, fillIn, opened, stopTheClock } from '../support/test'

const PREVIEW = {
  days: 4,
  holidays: [{ date: '2026-12-25', name: '1. Weihnachtstag' }],
  freeDays: 2,
  remainingAfter: 8.5,
  reservedAfter: 4,
  overlaps: false,
  warnings: [] as { code: 'duty'; date: string }[],
}
const PDF = { name: 'bescheinigung.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 …') }

function layOut(service: Service) {
  for (const { answers } of samples)
    for (const [call, body] of Object.entries(answers)) service.answers.set(call, { body })
  service.answers.set('GET /api/vacation-requests/preview', { body: PREVIEW })
  service.answers.set('POST /api/vacation-requests', { status: 201, body: { id: 'v-9', warnings: [] } })
  service.answers.set('POST /api/absences', { status: 201, body: [{ id: 'a-9' }] })
  service.answers.set('POST /api/absences/a-4/message', { body: { id: 'a-4' } })
}

async function open(page: Page, service: Service) {
  await stopTheClock(page)
  layOut(service)
  await enter(page, `${service.url}/dashboard?tab=my_absences`)
  await expect(page.getByText('Silvester bei den Großeltern')).toBeVisible()
}

const dialogOf = (page: Page) => page.getByRole('dialog')
const posted = (page: Page, path: string) =>
  page.waitForRequest(request => request.method() === 'POST' && request.url().endsWith(path))
const bodyOf = (request: Request) => request.postDataJSON() as unknown

/** As by keyboard: focus it, open it with Enter. */
async function press(page: Page, name: string) {
  const button = page.getByRole('button', { name }).first()
  await button.focus()
  await page.keyboard.press('Enter')
  return button
}

test.describe('without a service worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('approved leave is wished to be cancelled, and a day of a Krankmeldung taken back', async ({
    page,
    service,
  }) => {
    const answers = samples[0]?.answers ?? {}
    const ownRequests = answers['GET /api/vacation-requests/mine'] as object[]
    const sick = answers['GET /api/users/u-1/absences'] as object[]
    const coming = {
      ...ownRequests[3],
      id: 'v-9',
      status: 'approved',
      startDate: '2026-12-07',
      endDate: '2026-12-11',
    }
    const setRequests = (wished: boolean) =>
      service.answers.set('GET /api/vacation-requests/mine', {
        body: [...ownRequests, { ...coming, cancelRequested: wished }],
      })
    await stopTheClock(page)
    layOut(service)
    setRequests(false)
    service.answers.set('GET /api/users/u-1/absences', {
      body: [{ ...sick[2], id: 'a-2', date: '2026-11-04' }, sick[2]],
    })
    const wishes: unknown[] = []
    service.acts.set('POST /api/vacation-requests/v-9/cancel-request', ({ body }) => {
      wishes.push(body)
      setRequests(true)
      return { body: { ...coming, cancelRequested: true } }
    })
    service.acts.set('DELETE /api/absences/a-3', () => ({ status: 204, body: new Uint8Array() }))
    await enter(page, `${service.url}/dashboard?tab=my_absences`)
    await page.getByRole('button', { name: /^Stornierung wünschen/ }).click()
    const dialog = dialogOf(page)
    await dialog.getByLabel('Grund (freiwillig)').fill('Die Reise fällt aus.')
    await judge(page, 'absences-cancel')
    await dialog.getByRole('button', { name: 'Um Stornierung bitten' }).click()
    await expectSaid(page, 'Deine Verwaltung sieht jetzt, dass du stornieren möchtest.')
    await expect(page.getByText('Stornierung gewünscht')).toBeVisible()
    expect(wishes).toEqual([{ reason: 'Die Reise fällt aus.' }])

    await page.getByRole('button', { name: /^Zurückziehen: 4/ }).click()
    await dialog.getByRole('combobox', { name: 'Welche Tage?' }).click()
    await page.getByRole('option', { name: 'Donnerstag, 5. November 2026' }).click()
    await judge(page, 'absences-recover')
    await dialog.getByRole('button', { name: 'Zurückziehen' }).click()
    await expectSaid(page, 'Krankmeldung zurückgezogen.')
  })

  test('a request is previewed, refused, sent, and leads back to where it was asked for', async ({
    page,
    service,
  }) => {
    await open(page, service)
    const button = await press(page, 'Urlaub oder Wunschfrei beantragen')
    const dialog = dialogOf(page)
    await expect(dialog.getByRole('radio', { name: 'Urlaub' })).toBeFocused()
    await dialog.getByRole('button', { name: 'Antrag einreichen' }).press('Enter')
    await expect(dialog.getByText('Bitte den ersten Tag wählen.')).toBeVisible()
    await expect(dialog.getByLabel('Erster Tag', { exact: true })).toBeFocused()
    // The focus that a form gives opens no calendar over the sentence; a press does.
    const today = page.getByRole('button', { name: '20 November 2026' })
    await expect(today).toBeHidden()
    await dialog.getByLabel('Erster Tag', { exact: true }).click()
    await expect(today).toBeVisible()
    await page.keyboard.type('23.12.2026')
    await page.keyboard.press('Enter')
    const end = dialog.getByLabel('Letzter Tag', { exact: true })
    await expect(end).toHaveValue('23.12.2026')
    await end.fill('29.12.2026')
    await page.keyboard.press('Tab')
    await expect(
      dialog.getByText(
        'Dein Antrag kostet 4 Tage · spart: 1. Weihnachtstag (25. Dezember) · danach noch 8,5 Tage',
      ),
    ).toBeVisible()
    service.answers.set('GET /api/vacation-requests/preview', {
      body: {
        ...PREVIEW,
        remainingAfter: -2,
        overlaps: true,
        warnings: ['23', '28', '29'].map(day => ({ code: 'duty', date: `2026-12-${day}` })),
      },
    })
    await dialog.getByText('Letzter Tag nur bis mittags').click()
    await expect(
      dialog.getByText('Das sind 2 Tage mehr, als du hast. Deine Verwaltung entscheidet.'),
    ).toBeVisible()
    await expect(
      dialog.getByText('Du bist eingeteilt: 23. Dezember 2026, 28.–29. Dezember 2026.'),
    ).toBeVisible()
    await judge(page, 'absences-request-over')
    const sentence = 'Im Zeitraum liegt bereits ein offener oder genehmigter Antrag.'
    service.answers.set('POST /api/vacation-requests', {
      status: 409,
      body: { status: 409, code: 'overlap', message: sentence },
    })
    await dialog.getByRole('button', { name: 'Antrag einreichen' }).press('Enter')
    await expect(dialog.getByRole('alert')).toContainText('Antrag fehlgeschlagen.')
    await expect(dialog.getByRole('alert')).toContainText(sentence)
    layOut(service)
    const sent = posted(page, '/api/vacation-requests')
    await dialog.getByRole('button', { name: 'Antrag einreichen' }).press('Enter')
    expect(bodyOf(await sent)).toEqual({
      kind: 'vacation',
      startDate: '2026-12-23',
      endDate: '2026-12-29',
      startHalf: false,
      endHalf: true,
      reason: null,
    })
    await expectSaid(page, 'Antrag eingereicht.')
    await expect(dialog).toBeHidden()
    await expect(button).toBeFocused()
  })

  test('who is ill says so, and may hand in a note', async ({ page, service }) => {
    await open(page, service)
    const button = await press(page, 'Krank melden')
    const dialog = dialogOf(page)
    await expect(dialog.getByLabel('Krank ab')).toHaveValue('20.11.2026')
    await judge(page, 'absences-sick')
    const sent = posted(page, '/api/absences')
    await dialog.getByRole('button', { name: 'Krank melden' }).press('Enter')
    expect(bodyOf(await sent)).toEqual({ startDate: '2026-11-20', endDate: '2026-11-20' })
    await expect(dialog.getByText('Du bist krankgemeldet.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Fertig' })).toBeFocused()
    await judge(page, 'absences-sick-done')
    await dialog.getByRole('button', { name: 'Krankmeldung hochladen' }).press('Enter')
    await expect(dialog.getByLabel('Datei auswählen')).toBeAttached()
    await dialog.getByRole('button', { name: 'Abbrechen' }).press('Enter')
    await expect(dialog).toBeHidden()
    await expect(button).toBeFocused()
  })

  test('a note goes up with its progress, can be stopped, is refused, and arrives', async ({
    page,
    service,
  }) => {
    await open(page, service)
    const button = await press(page, 'Krankmeldung hochladen: Montag, 16. November 2026')
    const dialog = await opened(dialogOf(page))
    const upload = dialog.getByRole('button', { name: 'Hochladen' })
    await upload.press('Enter')
    await expect(dialog.getByRole('alert')).toContainText('Bitte eine Datei auswählen.')
    await expect(dialog.getByLabel('Datei auswählen')).toBeFocused()
    const choose = (file: typeof PDF) => dialog.locator('input[type=file]').setInputFiles(file)
    await choose({ ...PDF, buffer: randomBytes(10 * 1024 * 1024 + 1) })
    await expect(dialog.getByRole('alert')).toContainText('Die Datei ist zu groß (höchstens 10 MB).')
    await choose(PDF)
    await judge(page, 'absences-upload')

    let letGo = () => {}
    const released = new Promise<void>(resolve => {
      letGo = resolve
    })
    await page.route('**/upload-sick-note', async route => {
      await released
      await route.fulfill({ status: 422, json: { code: 'file_damaged', message: DAMAGED } })
    })
    await upload.press('Enter')
    await expect(dialog.getByRole('progressbar')).toBeVisible()
    await dialog.getByRole('button', { name: 'Upload abbrechen' }).press('Enter')
    await expect(dialog.getByRole('progressbar')).toBeHidden()
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    letGo()
    await upload.press('Enter')
    await expect(dialog.getByRole('alert')).toContainText('Upload fehlgeschlagen.')
    await expect(dialog.getByRole('alert')).toContainText(DAMAGED)
    await page.unroute('**/upload-sick-note')
    let form = ''
    await page.route('**/upload-sick-note', route => {
      form = route.request().postData() ?? ''
      return route.fulfill({ json: { id: 'a-4' } })
    })
    await upload.press('Enter')
    await expectSaid(page, 'Krankmeldung hochgeladen.')
    expect(form).toContain('name="file"; filename="bescheinigung.pdf"')
    await expect(dialog.getByText(/Sieh bitte nach, ob alles zu lesen ist/)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Krankmeldung ansehen' })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Fertig' })).toBeFocused()
    await judge(page, 'absences-upload-kept')
    await dialog.getByRole('button', { name: 'Andere Datei hochladen' }).press('Enter')
    await expect(dialog.getByLabel('Datei auswählen')).toBeFocused()
    await choose(PDF)
    await upload.press('Enter')
    await dialog.getByRole('button', { name: 'Fertig' }).press('Enter')
    await expect(dialog).toBeHidden()
    await expect(button).toBeFocused()
  })

  test('a message needs words, and a request is withdrawn once that is confirmed', async ({
    page,
    service,
  }) => {
    await open(page, service)
    await press(page, 'Nachricht ändern')
    const dialog = dialogOf(page)
    const field = dialog.getByLabel('Nachricht', { exact: true })
    await expect(field).toBeFocused()
    await field.fill('   ')
    await expect(dialog.getByRole('button', { name: 'Nachricht senden' })).toBeDisabled()
    await field.fill('Ich war doch da.')
    await judge(page, 'absences-message')
    const messageRequest = posted(page, '/api/absences/a-4/message')
    await dialog.getByRole('button', { name: 'Nachricht senden' }).press('Enter')
    expect(bodyOf(await messageRequest)).toEqual({ message: 'Ich war doch da.' })
    await expectSaid(page, 'Nachricht gesendet.')
    await expect(dialog).toBeHidden()

    service.answers.set('DELETE /api/vacation-requests/v-4', { status: 200, body: null })
    await press(page, 'Zurückziehen: Urlaub')
    await judge(page, 'absences-withdraw')
    await dialog.getByRole('button', { name: 'Zurückziehen' }).press('Enter')
    await expectSaid(page, 'Antrag zurückgezogen.')
  })

  test('what is empty, switched off, or not to be had', async ({ page, service }) => {
    await open(page, service)
    service.answers.set('GET /api/vacation-requests/mine', { body: [] })
    service.answers.set('GET /api/users/u-1/absences', { body: [] })
    service.answers.set('GET /api/vacation-policy/mine', {
      body: { ...POLICY, vacationEnabled: false },
    })
    await page.reload()
    await expect(page.getByText('Du hast noch keinen Antrag gestellt.')).toBeVisible()
    await expect(page.getByText('Im November 2026 gibt es keine Abwesenheit.')).toBeVisible()
    await expect(page.getByText('Urlaub ist derzeit deaktiviert.')).toBeVisible()
    await press(page, 'Ersten Antrag stellen')
    await expect(dialogOf(page).getByRole('radio', { name: 'Urlaub' })).toBeDisabled()
    await expect(dialogOf(page).getByRole('radio', { name: 'Wunschfrei' })).toBeChecked()
    const failed = { status: 500, body: { code: 'internal', message: 'Interner Fehler.' } }
    for (const call of ['vacation-requests/mine', 'users/u-1/absences', 'vacation-policy/mine'])
      service.answers.set(`GET /api/${call}`, failed)
    // The device's snapshot would be shown here instead.
    await page.evaluate(() => indexedDB.deleteDatabase('stempelwerk'))
    await page.reload()
    for (const sentence of ['Abwesenheiten', 'Anträge'])
      await expect(page.getByText(`${sentence} konnten nicht geladen werden.`)).toBeVisible()
    await expect(page.getByText('Policy konnte nicht geladen werden.')).toBeVisible()
  })
})

const DAMAGED = 'Die Datei ist beschädigt oder nicht lesbar.'
const POLICY = {
  mode: 'uniform',
  uniformDays: 0,
  myAllowance: 0,
  remainingDays: 0,
  used: 0,
  reserved: 0,
  carried: 0,
  booked: 0,
  year: 2026,
}

test('a note is fetched with the session, shown beside the page, and its address ends', async ({
  page,
  context,
  service,
}) => {
  await open(page, service)
  let authorization = ''
  await context.route('**/api/absences/a-1/sick-note', route => {
    authorization = route.request().headers().authorization ?? ''
    return route.fulfill({ contentType: 'image/png', body: Buffer.from(PIXEL, 'base64') })
  })
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Krankmeldung ansehen' }).click()
  const popup = await opened
  expect(authorization).toBe('Bearer token-1')
  await expect.poll(() => popup.url()).toMatch(/^blob:/)
})

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('without the service it is written down, shown as waiting, and sent once', async ({ page, service }) => {
  await open(page, service)
  await installed(page)
  const answered: string[] = []
  page.on('response', response => {
    const { pathname } = new URL(response.url())
    if (response.request().method() === 'POST' && pathname !== '/api/login') answered.push(pathname)
  })
  await service.stop()
  await expect(page.getByText('Keine Verbindung zum Server.')).toBeVisible()
  await expect(page.getByText('Stand vom 20. November, 11:10 Uhr.')).toBeVisible()
  const dialog = dialogOf(page)

  await page.getByRole('button', { name: 'Urlaub oder Wunschfrei beantragen' }).click()
  await dialog.getByLabel('Erster Tag', { exact: true }).fill('23.12.2026')
  await page.keyboard.press('Tab')
  await expect(dialog.getByText('Vorschau erst mit Verbindung')).toBeVisible()
  await dialog.getByRole('button', { name: 'Antrag einreichen' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Urlaub, Mittwoch, 23. Dezember 2026')).toBeVisible()
  await page.getByRole('button', { name: 'Krank melden', exact: true }).click()
  await dialog.getByRole('button', { name: 'Krank melden' }).click()
  await expect(page.getByText('Krankmeldung, Freitag, 20. November 2026')).toBeVisible()
  await page.getByRole('button', { name: 'Nachricht ändern' }).click()
  await dialog.getByLabel('Nachricht', { exact: true }).fill('Ich war doch da.')
  await dialog.getByRole('button', { name: 'Nachricht senden' }).click()
  await expect(page.getByText('Ich war doch da.')).toBeVisible()
  await expect(page.getByText(/Wird gesendet, sobald der Server antwortet/)).toHaveCount(3)
  await page.getByRole('button', { name: 'Krankmeldung hochladen' }).click()
  await expect(dialog.getByText('Hochladen geht erst mit Verbindung.')).toBeVisible()
  await page.keyboard.press('Escape')

  await service.restart()
  await expect(page.getByText(/Wird gesendet, sobald der Server antwortet/)).toHaveCount(0)
  expect(answered.sort()).toEqual(['/api/absences', '/api/absences/a-4/message', '/api/vacation-requests'])
})

test('the real service takes a request, a Krankmeldung and its note, and refuses what is no note', async ({
  page,
  cloud,
}) => {
  await cloud.giveVacation(30)
  const mia = await cloud.person('Mia Sommer')
  await page.goto(cloud.url)
  await page.getByRole('button', { name: 'Login' }).click()
  await fillIn(page, mia.username, mia.password, mia.company)
  await page.waitForURL(`${cloud.url}/dashboard`)
  await page.goto(`${cloud.url}/dashboard?tab=my_absences`)
  await expect(page.getByText('Noch 30 von 30 Tagen')).toBeAttached()

  const dialog = dialogOf(page)
  await page.getByRole('button', { name: 'Urlaub oder Wunschfrei beantragen' }).click()
  const monday = mondayAhead()
  await dialog.getByLabel('Erster Tag', { exact: true }).fill(monday)
  await page.keyboard.press('Tab')
  await dialog.getByText('Nur vormittags').click()
  await expect(dialog.getByText(/kostet\s0,5\sTage\s·\sdanach\snoch\s\d+,5\sTage/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Antrag einreichen' }).click()
  await expectSaid(page, 'Antrag eingereicht.')
  await expect(page.getByText('nur vormittags')).toBeVisible()
  await page.getByRole('button', { name: /^Zurückziehen/ }).click()
  await dialog.getByRole('button', { name: 'Zurückziehen' }).click()
  await expect(page.getByText('Du hast noch keinen Antrag gestellt.')).toBeVisible()

  await page.getByRole('button', { name: 'Krank melden' }).first().click()
  await dialog.getByRole('button', { name: 'Krank melden' }).click()
  await dialog.getByRole('button', { name: 'Krankmeldung hochladen' }).click()
  const upload = async (buffer: Buffer) => {
    await dialog.locator('input[type=file]').setInputFiles({ ...PDF, buffer })
    await dialog.getByRole('button', { name: 'Hochladen' }).click()
  }
  await upload(Buffer.from('Guten Tag'))
  await expect(dialog.getByRole('alert')).toContainText('Upload fehlgeschlagen.')
  await expect(dialog.getByRole('alert')).toContainText('Bitte ein Bild (JPG, PNG oder WebP)')
  await upload(Buffer.from(PIXEL, 'base64'))
  await expectSaid(page, 'Krankmeldung hochgeladen.')
  const opened = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: /^Krankmeldung ansehen/ }).click()
  const popup = await opened
  await expect.poll(() => popup.url()).toMatch(/^blob:/)
  await popup.close()
  await dialog.getByRole('button', { name: 'Fertig' }).click()
  await expect(page.getByRole('button', { name: /^Krankmeldung ansehen/ })).toBeVisible()

  await page.getByRole('button', { name: /^Nachricht an die Verwaltung/ }).click()
  await dialog.getByLabel('Nachricht', { exact: true }).fill('Ab morgen bin ich wieder da.')
  await dialog.getByRole('button', { name: 'Nachricht senden' }).click()
  await expect(page.getByText('Deine Nachricht: Ab morgen bin ich wieder da.')).toBeVisible()
})

/** A Monday more than a week ahead. It is no public holiday: the company has chosen no Bundesland. */
function mondayAhead(): string {
  const day = new Date()
  day.setUTCDate(day.getUTCDate() + 7 + ((8 - day.getUTCDay()) % 7))
  const [year, month, date] = day.toISOString().slice(0, 10).split('-')
  return `${date}.${month}.${year}`
}
