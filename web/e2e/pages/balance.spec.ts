import { entries, november, year } from '../../src/features/balance/samples'
import { installed, keeps } from '../support/device'
import { judge } from '../support/judge'
import { look } from '../support/look'
import type { Service } from '../support/service'
import { enter, expect, stopTheClock, test } from '../support/test'

const ACCOUNT = 'GET /api/users/u-1/account'

function layOut(service: Service) {
  service.entries = [...entries]
  service.answers.set(`${ACCOUNT}?month=2026-11`, { body: november })
  service.answers.set(`${ACCOUNT}?year=2026`, { body: year })
  service.answers.set(`${ACCOUNT}?month=2026-03`, {
    body: { ...november, ...year.months[2], days: november.days.map(asOfMarch) },
  })
  service.answers.set('GET /api/companies/c-1', { body: { id: 'c-1', name: 'Tischlerei Holm' } })
}

const asOfMarch = (day: (typeof november.days)[number]) => ({
  ...day,
  date: day.date.replace('-11-', '-03-'),
  entryIds: [],
})

test.describe('for who sits at it', () => {
  test.use({ serviceWorkers: 'block' })

  test('every figure unfolds by keyboard, down to the entries', async ({ page, service }) => {
    layOut(service)
    await stopTheClock(page)
    await enter(page, `${service.url}/dashboard?tab=my_account`)
    await expect(page.getByText('Überstunden')).toBeVisible()
    const names = ['Ist', 'Feiertage', 'Urlaub', 'Entschuldigte Abwesenheit', 'Buchungen', 'Soll']
    for (const name of [...names, 'Übertrag aus Oktober']) {
      const button = page.getByRole('button', { name, exact: true })
      await button.press('Enter')
      await expect(button).toHaveAttribute('aria-expanded', 'true')
      await expect(button).toBeFocused()
    }
    // A phone's table has a column less.
    await judge(page, 'balance-unfolded', async () => {
      await expect(page.getByRole('row', { name: /^Saldo bis heute/ })).toContainText('7h 25m')
      await expect(page.getByText('07:02–16:04').first()).toBeVisible()
      await expect(page.getByText('Buß- und Bettag', { exact: true })).toBeVisible()
      await expect(page.getByText('Ausgezahlt mit der Oktoberabrechnung')).toBeVisible()
      await expect(page.getByText('Stand Ende 2025')).toBeVisible()
    })
  })

  test('the pictures are walked along by arrow keys, and the year leads to a month', async ({
    page,
    service,
  }) => {
    layOut(service)
    await stopTheClock(page)
    await enter(page, `${service.url}/dashboard?tab=my_account`)
    const month = page.getByRole('slider', { name: 'November 2026, Tag für Tag' })
    await expect(month).toHaveAttribute('aria-valuetext', /^Freitag, 20. November/)
    await month.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    const region = page.getByRole('region', { name: 'November 2026, Tag für Tag' })
    await expect(region.locator('p')).toContainText('Mittwoch, 18. November')
    await expect(region.locator('p')).toContainText('Buß- und Bettag')
    const yearSlider = page.getByRole('slider', { name: 'Das Jahr 2026' })
    await yearSlider.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: 'März zeigen' }).press('Enter')
    await expect(page).toHaveURL(/monat=2026-03/)
    await expect(page.getByText('Saldo Ende März 2026')).toBeVisible()
  })

  test('a pointer chooses the bar below it', async ({ page, service }) => {
    layOut(service)
    await stopTheClock(page)
    await enter(page, `${service.url}/dashboard?tab=my_account`)
    const slider = page.getByRole('slider', { name: 'November 2026, Tag für Tag' })
    const box = await slider.boundingBox()
    if (box === null) throw new Error('no slider')
    const pointOfDay = (day: number) => ({ x: ((day - 0.5) / 30) * box.width, y: 60 })
    await slider.hover({ position: pointOfDay(5) })
    await expect(slider).toHaveAttribute('aria-valuetext', /^Donnerstag, 5. November/)
    for (const day of [1, 12, 30]) {
      await slider.click({ position: pointOfDay(day) })
      await expect(slider).toHaveAttribute('aria-valuetext', new RegExp(`, ${day}. November`))
    }
  })

  test('the statement comes as a file', async ({ page, service }) => {
    layOut(service)
    service.answers.set('GET /api/users/u-1/statement', {
      body: Buffer.from('%PDF-1.7'),
      headers: { 'Content-Disposition': 'attachment; filename="zeitnachweis-2026-11-mia.pdf"' },
    })
    await stopTheClock(page)
    await enter(page, `${service.url}/dashboard?tab=my_account`)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Zeitnachweis als PDF' }).click()
    expect((await download).suggestedFilename()).toBe('zeitnachweis-2026-11-mia.pdf')
    await page.getByRole('link', { name: 'Nachweis prüfen' }).click()
    await expect(page).toHaveURL(`${service.url}/pruefen`)
  })

  test('on paper there is the name, the month and the sums, and nothing to press', async ({
    page,
    service,
  }) => {
    layOut(service)
    await stopTheClock(page)
    await enter(page, `${service.url}/dashboard?tab=my_account`)
    await expect(page.getByText('Überstunden')).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByText('Zeitkonto im November 2026, gedruckt am')).toBeVisible()
    await expect(page.getByText('Mia Sommer · Tischlerei Holm').last()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Zeitnachweis als PDF' })).toBeHidden()
    await look(page, 'balance-print')
  })
})

test('is read without a network, down to the entries', async ({ page, service }) => {
  layOut(service)
  await stopTheClock(page)
  await enter(page, `${service.url}/dashboard?tab=my_account`)
  await expect(page.getByText('Überstunden')).toBeVisible()
  await expect(page.getByRole('slider', { name: 'Das Jahr 2026' })).toBeVisible()
  await installed(page)
  await keeps(page, 'balance/month/2026-11', 'balance/year/2026', 'balance/entries/2026-11')
  await service.stop()
  await page.reload()
  await expect(page.getByText('Überstunden')).toBeVisible()
  await expect(page.getByText('Stand vom 20. November, 11:10 Uhr.')).toBeVisible()
  await page.getByRole('button', { name: 'Ist', exact: true }).click()
  await expect(page.getByText('07:02–16:04').first()).toBeVisible()
  await expect(page.getByRole('slider', { name: 'Das Jahr 2026' })).toBeVisible()
})
