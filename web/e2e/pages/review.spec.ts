/** The review list, worked through by keyboard, and the new lines of a clock. */
import type { Sample } from '../../src/features/feature'
import { samples as logSamples } from '../../src/features/logs/samples'
import { samples } from '../../src/features/times/samples'
import { entry } from '../support/entries'
import { judge } from '../support/judge'
import type { Service } from '../support/service'
import { enter, expect, expectSaid, opened, stopTheClock, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

const ofReview = samples.filter(({ page }) => page.key === 'review')

function layOut(service: Service, ...laid: Sample[]) {
  for (const [call, body] of laid.flatMap(({ answers }) => Object.entries(answers)))
    service.answers.set(call, { body })
  const sentBodies: unknown[] = []
  service.acts.set('POST /api/companies/c-1/review/e-6/confirm', ({ body }) => {
    sentBodies.push(body)
    return { body: { entryId: 'e-6', flags: [] } }
  })
  service.acts.set('POST /api/companies/c-1/review/e-2/remind', () => ({ status: 204, body: null }))
  return sentBodies
}

test('an entry is left as it is by a key, taken back, and sent when the page is left', async ({
  page,
  service,
}) => {
  await stopTheClock(page)
  const sentBodies = layOut(service, ...ofReview)
  await enter(page, `${service.url}/company-dashboard?tab=review`, 'chef')
  const list = page.getByRole('list', { name: 'Zu prüfen' })
  await expect(list.getByRole('listitem')).toHaveCount(5)
  await page.keyboard.press('j')
  await expect(page.getByRole('region', { name: 'Öznur Çelik, 17.11.2026' })).toBeVisible()
  await page.keyboard.press('a')
  await expect(list.getByRole('listitem')).toHaveCount(4)
  await page.keyboard.press('z')
  await expect(list.getByRole('listitem')).toHaveCount(5)
  expect(sentBodies).toEqual([])
  await page.keyboard.press('a')
  await page.getByRole('link', { name: 'Zeitkonten' }).click()
  await expect.poll(() => sentBodies).toEqual([{ flags: ['missing_in'], comment: '' }])
})

test('a person is reminded, and a correction opens filled in', async ({ page, service }) => {
  await stopTheClock(page)
  layOut(service, ...ofReview)
  await enter(page, `${service.url}/company-dashboard?tab=review`, 'chef')
  const panel = page.getByRole('region', { name: 'Mia Sommer, 18.11.2026' })
  await panel.getByRole('button', { name: 'Erinnern' }).click()
  await expectSaid(page, 'Mia Sommer wird gebeten, den Tag zu prüfen.')
  await panel.getByRole('button', { name: 'Korrigieren' }).click()
  const dialog = await opened(page.getByRole('dialog', { name: 'Zeit von Mia Sommer korrigieren' }))
  await expect(dialog.getByLabel('Kommen: Stunden')).toHaveValue('06')
  await judge(page, 'review-correcting')
})

test('a finding’s limit stands on the line of its day', async ({ page, service }) => {
  await stopTheClock(page)
  layOut(service, ...ofReview)
  const long = entry('2026-11-16', '07:00', '18:30', { id: 'e-5', flags: ['over_10_h', 'missing_break'] })
  service.answers.set('GET /api/users/u-4/times', { body: [long] })
  await enter(page, `${service.url}/company-dashboard?tab=review`, 'chef')
  await expect(page.getByRole('list', { name: 'Zu prüfen' }).getByRole('listitem')).toHaveCount(5)
  for (const key of ['j', 'j']) await page.keyboard.press(key)
  const panel = page.getByRole('region', { name: 'Jan Winter, 16.11.2026' })
  await expect(panel.getByText('10h 00m Arbeit um 17:30')).toBeVisible()
  await expect(panel.getByText('6h 00m Arbeit um 13:00: 30 min Pause')).toBeVisible()
  await judge(page, 'review-limits')
})

test('errors stand in a dialog of their own, each with what to do', async ({ page, service }) => {
  await stopTheClock(page)
  layOut(service, ...logSamples)
  service.answers.set('GET /api/companies/c-1/features', {
    body: [{ id: 'f-1', key: 'error_log', label: 'Fehlerlog' }],
  })
  await enter(page, `${service.url}/company-dashboard?tab=error_log`, 'chef')
  await page.getByRole('button', { name: 'Fehler (1)' }).click()
  const dialog = await opened(page.getByRole('dialog', { name: 'Nur Fehler' }))
  await dialog.getByText('Die Stempeluhr hat Stempel endgültig verloren.').click()
  await expect(dialog.getByText(/Frag, wer in dieser Zeit gestempelt hat/)).toBeVisible()
  await judge(page, 'errors')
})
