/** Corrections of the own times: asking for one, deleting an entry, taking a request back, and asking without the service. */
import type { Locator, Page } from '@playwright/test'
import type { components } from '../../src/api/schema'
import { samples } from '../../src/features/times/samples'
import { installed } from '../support/device'
import { NOW } from '../support/entries'
import { judge } from '../support/judge'
import { look } from '../support/look'
import type { Asked, Laid, Service, TimeEntry } from '../support/service'
import { enter, expect, expectSaid, opened, stopTheClock, TIMES, test } from '../support/test'

type Correction = components['schemas']['CorrectionRow']

const answers = samples[0]?.answers ?? {}
const [FORGOTTEN, WHOLE] = answers['GET /api/users/u-1/times'] as [TimeEntry, TimeEntry]
const [OPEN] = answers['GET /api/time-corrections/mine'] as [Correction]
const NIGHT = { ...WHOLE, start: '22:00', end: '06:00', workedMinutesRaw: 480, workedMinutesNet: 450 }

const ASK = 'POST /api/time-corrections'
const THURSDAY = 'Donnerstag, 19. November, 07:58'
const INCOMPLETE = 'Bitte Datum und mindestens eine Zeit (Start oder Ende) ausfüllen.'
const ALREADY_OPEN = 'Für dieses Datum ist bereits ein offener Korrekturantrag vorhanden.'
const SENT = 'Antrag gesendet. Nach Genehmigung erscheint die geänderte Zeit hier.'
const SKIPPED = 'Diese Startzeit gibt es an dem Tag wegen der Zeitumstellung nicht.'
const QUEUED = 'Gespeichert. Wird gesendet, sobald der Server antwortet.'

/** Entries and an open request, which behave as the service's do: what is asked for under one key happens once. */
function layOut(service: Service) {
  const laid = { asked: [] as Asked[], open: [OPEN], gone: [] as string[] }
  const settle = () => service.answers.set('GET /api/time-corrections/mine', { body: laid.open })
  const goes = (call: string, done: () => void) =>
    service.acts.set(call, () => {
      laid.gone.push(call)
      done()
      settle()
      return { status: 204, body: null }
    })
  service.entries = [
    WHOLE,
    FORGOTTEN,
    { ...WHOLE, id: 'e-3', date: OPEN.date },
    { ...NIGHT, id: 'e-4', date: '2026-11-09' },
    { ...NIGHT, id: 'e-5', date: '2026-10-24', workedMinutesRaw: 540, workedMinutesNet: 510 },
  ]
  service.acts.set(ASK, asked => {
    const isNew = laid.asked.every(({ key }) => key !== asked.key)
    if (isNew) laid.open = [...laid.open, { ...OPEN, ...asked.body, id: `c-${laid.open.length + 1}` }]
    laid.asked.push(asked)
    settle()
    return { status: 201, body: laid.open.at(-1) }
  })
  goes('DELETE /api/time-corrections/c-1', () => {
    laid.open = []
  })
  goes('DELETE /api/work-times/e-1', () => {
    service.entries = service.entries.filter(({ id }) => id !== 'e-1')
  })
  settle()
  return laid
}

/** The next request is refused, and the one after that is taken again. */
function refuseOnce(service: Service, status: number, message: string, field?: string) {
  const take = service.acts.get(ASK)
  const errors = field === undefined ? [] : [{ field, message }]
  service.acts.set(ASK, (): Laid => {
    if (take !== undefined) service.acts.set(ASK, take)
    return { status, body: { status, code: 'refused', message, errors } }
  })
}

async function open(page: Page, service: Service) {
  await stopTheClock(page)
  const laid = layOut(service)
  await enter(page, service.url + TIMES)
  await expect(acts(page, THURSDAY)).toBeVisible()
  return laid
}

const acts = (page: Page, of: string) => page.getByRole('button', { name: `Aktionen: ${of}` })
const dayField = (dialog: Locator) => dialog.getByLabel('Tag', { exact: true })
const part = (dialog: Locator, label: string, of = 'Stunden') => dialog.getByLabel(`${label}: ${of}`)
const send = (dialog: Locator) => dialog.getByRole('button', { name: 'Antrag senden' }).press('Enter')

/** A day among those of the month: rows in a table, or a line on a phone. */
const dayIn = (page: Page, name: string) => page.locator(':is(tbody, li)[id]', { hasText: name })

/** Opens an entry's menu and its commands by keyboard. */
async function choose(page: Page, of: string, act: 'Korrigieren' | 'Eintrag löschen') {
  await acts(page, of).press('Enter')
  await page.keyboard.press('Tab')
  if (act === 'Eintrag löschen') await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: act, exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
}

const dialogOf = (page: Page, name = 'Zeitkorrektur beantragen') => page.getByRole('dialog', { name })

async function typeTime(dialog: Locator, label: string, digits: string) {
  await part(dialog, label).focus()
  await dialog.page().keyboard.type(digits)
}

async function typeDay(dialog: Locator, day: string) {
  await dayField(dialog).fill(day)
  await dayField(dialog).press('Tab')
}

/** The value before and the requested value. */
const expectShown = (dialog: Locator, before: RegExp, after: RegExp) =>
  expect(dialog.getByRole('definition')).toHaveText([before, after])

/** The message is above the buttons, which may stay at the foot of a small window. */
const expectInSight = (dialog: Locator) =>
  expect(async () => {
    const alertBox = await dialog.getByRole('alert').boundingBox()
    const buttons = await dialog.getByRole('button', { name: 'Antrag senden' }).boundingBox()
    expect((alertBox?.y ?? 0) + (alertBox?.height ?? 0)).toBeLessThanOrEqual(buttons?.y ?? 0)
  }).toPass()

test.describe('without a service worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('a correction shows what stood beside what shall be, is refused in words, and leads back', async ({
    page,
    service,
  }) => {
    const laid = await open(page, service)
    const correct = page.getByRole('button', { name: 'Korrigieren', exact: true })
    await acts(page, THURSDAY).press('Enter')
    await expect(correct).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(acts(page, THURSDAY)).toBeFocused()
    // The line of a phone has dots of its own.
    await judge(page, 'corrections-menu', async () => {
      await page.keyboard.press('Escape')
      await acts(page, THURSDAY).press('Enter')
      await expect(correct).toBeVisible()
    })
    await page.keyboard.press('Escape')
    await choose(page, THURSDAY, 'Korrigieren')
    const dialog = await opened(dialogOf(page))
    await expectShown(dialog, /07:58.*16:04/, /^07:58–16:04\s*8h 06m/)
    await typeTime(dialog, 'Gehen', '1632')
    await expectShown(dialog, /07:58.*16:04/, /^07:58–16:32\s*8h 34m/)
    await judge(page, 'corrections-dialog')

    await typeDay(dialog, '')
    await send(dialog)
    await expect(dialog.getByText(INCOMPLETE)).toBeVisible()
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    await expect(dayField(dialog)).toBeFocused()
    await page.keyboard.type('31.02.2026')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Ungültiges Datumsformat. Bitte Tag neu wählen.')).toBeVisible()
    await expect(dayField(dialog)).toBeFocused()
    await typeDay(dialog, '19.11.2026')
    for (const label of ['Kommen', 'Gehen']) {
      for (const of of ['Stunden', 'Minuten']) await part(dialog, label, of).press('Backspace')
    }
    await send(dialog)
    await expect(dialog.getByText(INCOMPLETE)).toHaveCount(1)
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    await expect(part(dialog, 'Kommen')).toBeFocused()
    expect(laid.asked).toEqual([])

    const refused = async (width: number) => {
      refuseOnce(service, 409, ALREADY_OPEN)
      await page.setViewportSize({ width, height: 600 })
      await typeTime(dialog, 'Kommen', '0730')
      await typeTime(dialog, 'Gehen', '1632')
      await dialog.getByLabel('Begründung (freiwillig)').fill('Chip vergessen')
      await send(dialog)
      await expect(dialog.getByRole('alert')).toHaveText(`Antrag fehlgeschlagen.${ALREADY_OPEN}`)
      await expectInSight(dialog)
    }
    await refused(390)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Verwerfen' }).press('Enter')
    await expect(dialog).toBeHidden()
    await page.setViewportSize({ width: 1280, height: 800 })
    await choose(page, THURSDAY, 'Korrigieren')
    await opened(dialogOf(page))
    await refused(1280)
    await expectShown(dialog, /07:58.*16:04/, /^07:30–16:32\s*9h 02m/)
    await expect(dialog.getByLabel('Begründung (freiwillig)')).toHaveValue('Chip vergessen')
    await page.clock.pauseAt(NOW)
    await send(dialog)
    await expect(dialog.getByText(SENT)).toBeVisible()
    await look(page, 'corrections-sent')
    await page.clock.runFor(700)
    // The month is loaded again, which is no reason to stay.
    service.tellUpdate()
    await page.clock.runFor(499)
    await expect(dialog.getByText(SENT)).toBeVisible()
    await page.clock.runFor(1)
    await expect(dialog).toBeHidden()
    await page.clock.resume()
    await expect(acts(page, THURSDAY)).toBeFocused()
    await expect(dayIn(page, 'Donnerstag, 19. November')).toContainText('Korrektur offen')
    await expect
      .poll(() => laid.asked.map(({ body }) => body))
      .toEqual([
        { date: '2026-11-19', newStart: '07:30', newEnd: '16:32', reason: 'Chip vergessen', entryId: 'e-1' },
      ])
  })

  test('a night is as long as it was, also where clocks change, and a time that they skip is refused', async ({
    page,
    service,
  }) => {
    await open(page, service)
    await choose(page, 'Montag, 9. November, 22:00', 'Korrigieren')
    const dialog = await opened(dialogOf(page))
    await expectShown(dialog, /22:00.*06:00/, /^22:00–06:00\s*8h 00m.*\(Gehen am Folgetag\)/)
    await typeDay(dialog, '24.10.2026')
    await expectShown(dialog, /22:00.*06:00/, /^22:00–06:00\s*9h 00m.*\(Gehen am Folgetag\)/)
    await typeDay(dialog, '28.03.2026')
    await expectShown(dialog, /nichts gestempelt/, /^22:00–06:00\s*7h 00m.*\(Gehen am Folgetag\)/)
    await typeDay(dialog, '29.03.2026')
    await typeTime(dialog, 'Kommen', '0230')
    await expectShown(dialog, /nichts gestempelt/, /^02:30–06:00\s*Diese Uhrzeit gibt es an dem Tag/)
    refuseOnce(service, 422, SKIPPED, 'newStart')
    await send(dialog)
    await expect(dialog.getByText(SKIPPED)).toBeVisible()
    await expect(dialog.getByRole('alert')).toHaveText('Antrag fehlgeschlagen.')
    await expect(part(dialog, 'Kommen')).toBeFocused()
  })

  test('a correction begins with the whole shift, also on another day, and says what falls away', async ({
    page,
    service,
  }) => {
    const laid = await open(page, service)
    const part = { ...WHOLE, breakMinutes: 0 }
    service.entries = [
      ...service.entries,
      { ...part, id: 'e-6', date: '2026-11-16', start: '08:00', end: '12:00', workedMinutesRaw: 240 },
      { ...part, id: 'e-7', date: '2026-11-16', start: '12:30', end: '17:14', workedMinutesRaw: 284 },
    ]
    await page.reload()
    await choose(page, 'Montag, 16. November, 08:00', 'Korrigieren')
    const dialog = await opened(dialogOf(page))
    await expectShown(dialog, /08:00.*12:00.*12:30.*17:14/, /^08:00–17:14\s*9h 14m/)
    await typeDay(dialog, '09.11.2026')
    await expectShown(dialog, /22:00.*06:00/, /^22:00–06:00\s*8h 00m/)
    await typeDay(dialog, '16.11.2026')
    await expectShown(dialog, /08:00.*12:00.*12:30.*17:14/, /^08:00–17:14\s*9h 14m/)
    await typeTime(dialog, 'Gehen', '1200')
    await expect(dialog.getByRole('definition').last()).toHaveText(/^12:30–17:14\s*4h 44m/)
    await send(dialog)
    await expect(dialog.getByText(SENT)).toBeVisible()
    await expect
      .poll(() => laid.asked.map(({ body }) => body))
      .toEqual([{ date: '2026-11-16', newStart: '08:00', newEnd: '12:00', reason: null, entryId: 'e-6' }])
  })

  test('a request is withdrawn once that is confirmed', async ({ page, service }) => {
    const laid = await open(page, service)
    await expect(dayIn(page, 'Dienstag, 17. November')).toContainText('Korrektur offen')
    const button = page.getByRole('button', { name: 'Korrektur für Dienstag, 17. November zurückziehen' })
    await button.press('Enter')
    const dialog = await opened(dialogOf(page, 'Antrag zurückziehen'))
    await expect(dialog).toContainText('Der Antrag verschwindet. Es gilt weiter, was hier steht.')
    await judge(page, 'corrections-withdraw')
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()
    expect(laid.gone).toEqual([])
    await page.keyboard.press('Enter')
    await opened(dialogOf(page, 'Antrag zurückziehen'))
    await dialog.getByRole('button', { name: 'Zurückziehen' }).press('Enter')
    await expectSaid(page, 'Antrag zurückgezogen.')
    await expect(page.getByText('Korrektur offen')).toHaveCount(0)
    await expect(page.locator('main :focus')).toBeVisible()
    expect(laid.gone).toEqual(['DELETE /api/time-corrections/c-1'])
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 844 } })

    test('an entry without Gehen leads straight to what is known of it', async ({ page, service }) => {
      const laid = await open(page, service)
      const day = dayIn(page, 'Mittwoch, 18. November')
      const half = async () => {
        await day.getByRole('button', { name: 'Gehen nachtragen' }).press('Enter')
        const dialog = await opened(dialogOf(page))
        await expect(dayField(dialog)).toHaveValue('18.11.2026')
        await expectShown(dialog, /07:58.*fehlt/, /^07:58\s–\sfehlt$/)
        await typeTime(dialog, 'Gehen', '16')
        await send(dialog)
        await expect(dialog.getByText('Bitte Stunden und Minuten angeben.')).toBeVisible()
        await expect(part(dialog, 'Gehen', 'Minuten')).toBeFocused()
        return dialog
      }
      const dialog = await half()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await half()
      expect(laid.asked).toEqual([])
      await page.keyboard.type('32')
      await expectShown(dialog, /07:58.*fehlt/, /^07:58–16:32\s*8h 34m/)
      await page.keyboard.press('Enter')
      await expect(day).toContainText('Korrektur offen')
      await expect(day).not.toContainText('Gehen nachtragen')
      await expect(dialog).toBeHidden()
      await expect(day.locator(':focus')).toBeVisible()
      await expect
        .poll(() => laid.asked[0]?.body)
        .toMatchObject({ newStart: '07:58', newEnd: '16:32', entryId: 'e-2' })
    })

    test('an entry is deleted once that is ticked, and not before', async ({ page, service }) => {
      const laid = await open(page, service)
      const ask = async () => {
        await choose(page, THURSDAY, 'Eintrag löschen')
        return opened(dialogOf(page, 'Zeiteintrag löschen'))
      }
      const dialog = await ask()
      const tick = dialog.getByRole('checkbox', { name: 'Ja, dieser Eintrag soll endgültig weg.' })
      const confirm = dialog.getByRole('button', { name: 'Eintrag löschen' })
      await expect(dialog).toContainText('Donnerstag, 19. November')
      await confirm.press('Enter')
      await expect(dialog.getByText('Bitte bestätige das Löschen mit dem Haken.')).toBeVisible()
      await expect(tick).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(acts(page, THURSDAY)).toBeFocused()
      await ask()
      await confirm.press('Enter')
      await expect(tick).toBeFocused()
      await judge(page, 'corrections-delete')
      await tick.press('Space')
      await dialog.getByRole('button', { name: 'Abbrechen' }).press('Enter')
      await expect(dialog).toBeHidden()
      expect(laid.gone).toEqual([])
      await ask()
      await expect(tick).not.toBeChecked()
      await tick.press('Space')
      await confirm.press('Enter')
      await expectSaid(page, 'Eintrag entfernt.')
      await expect(acts(page, THURSDAY)).toBeHidden()
      await expect(page.locator('main :focus')).toBeVisible()
      expect(laid.gone).toEqual(['DELETE /api/work-times/e-1'])
    })
  })
})

test('without the service it is written down, shown where it belongs, and sent once', async ({
  page,
  service,
}) => {
  const laid = await open(page, service)
  await installed(page)
  await service.stop()
  await expect(page.getByText('Keine Verbindung zum Server.')).toBeVisible()
  const day = dayIn(page, 'Mittwoch, 18. November')
  await day.getByRole('button', { name: 'Gehen nachtragen' }).press('Enter')
  const dialog = await opened(dialogOf(page))
  await typeTime(dialog, 'Gehen', '1632')
  await expectShown(dialog, /07:58.*fehlt/, /^07:58–16:32\s*8h 34m/)
  await send(dialog)
  await expect(dialog).toContainText(QUEUED)
  await expect(dialog).toBeHidden()
  const waiting = page.getByRole('region', { name: 'Offene Korrekturen' }).getByRole('status')
  await expect(waiting).toContainText('Korrektur für Mittwoch, 18. November: 07:58–16:32')
  await expect(waiting).toContainText('Wird gesendet, sobald der Server antwortet')
  await expect(day).toContainText('Korrektur offen')
  // It happens, and the first answer is lost on its way.
  const take = service.acts.get(ASK)
  service.acts.set(ASK, asked => {
    const answer = take?.(asked) ?? null
    return laid.asked.length === 1 ? null : answer
  })
  await service.restart()
  // Each jump ends any pause before the next try.
  const requestCount = async () => {
    await page.clock.fastForward(30_000)
    return laid.asked.length
  }
  // The jumps leave time to answer: a jump also ends a caller's patience.
  await expect.poll(requestCount, { intervals: [0, 5_000], timeout: 60_000 }).toBeGreaterThanOrEqual(2)
  await expect(waiting).toBeHidden({ timeout: 60_000 })
  await expect(page.getByText('Keine Verbindung zum Server.')).toBeHidden()
  await expect(day).toContainText('Korrektur offen')
  expect(new Set(laid.asked.map(({ key }) => key)).size).toBe(1)
  expect(laid.open.map(({ date }) => date)).toEqual(['2026-11-17', '2026-11-18'])
})
