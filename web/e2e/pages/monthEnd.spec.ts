/** A month is closed: checked, locked, fetched, sent; and the numbers of the tax adviser are given. */
import { samples } from '../../src/features/monthEnd/samples'
import { judge } from '../support/judge'
import type { Service } from '../support/service'
import { enter, expect, expectSaid, opened, stopTheClock, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

const COMPANY = '/api/companies/c-1'

function layOut(service: Service, changed: Record<string, unknown> = {}) {
  const module = { id: 'f-1', key: 'monthly_mail', label: 'Daten Export' }
  const answers = { [`GET ${COMPANY}/features`]: [module], ...samples[0]?.answers, ...changed }
  for (const [call, body] of Object.entries(answers)) service.answers.set(call, { body })
}

test('a month is locked, fetched and sent', async ({ page, service }) => {
  await stopTheClock(page)
  const locked = { month: '2026-10', lockedAt: '2026-11-20T09:00:00.000Z', lockedBy: 'Chef' }
  layOut(service, { [`GET ${COMPANY}/export-check`]: [] })
  service.acts.set(`PUT ${COMPANY}/months/2026-10/lock`, () => {
    service.answers.set(`GET ${COMPANY}/months/2026-10/lock`, { body: locked })
    return { body: locked }
  })
  const sent: unknown[] = []
  service.acts.set(`POST ${COMPANY}/export-send-now`, ({ body }) => {
    sent.push(body)
    return { status: 202, body: [] }
  })
  // The month before the present one is the one to be closed.
  await enter(page, `${service.url}/company-dashboard?tab=monthly_mail`, 'chef')
  await expect(page.getByText('Nichts offen.')).toBeVisible()
  await page.getByRole('button', { name: 'Oktober 2026 sperren' }).click()
  const dialog = await opened(page.getByRole('dialog', { name: 'Oktober 2026 sperren?' }))
  await judge(page, 'month-locking')
  await dialog.getByRole('button', { name: 'Oktober 2026 sperren' }).click()
  await expect(page.getByText('Gesperrt am 20.11.2026')).toBeVisible()
  await page.getByRole('button', { name: 'Jetzt senden' }).click()
  await expectSaid(page, 'E-Mail wurde angestoßen.')
  expect(sent).toEqual([{ month: '2026-10' }])
})

test('wage types are given where one is missing', async ({ page, service }) => {
  await stopTheClock(page)
  layOut(service)
  const put: unknown[] = []
  service.acts.set(`PUT ${COMPANY}/payroll-mapping`, ({ body }) => {
    put.push(body)
    return { body: {} }
  })
  await enter(page, `${service.url}/company-dashboard?tab=monthly_mail&monat=2026-10`, 'chef')
  await page.getByRole('button', { name: 'Lohnarten bearbeiten' }).click()
  const dialog = await opened(page.getByRole('dialog', { name: 'Nummern und Lohnarten' }))
  await judge(page, 'month-mapping')
  await dialog.getByLabel('Lohnart Krankheit').fill('300')
  await page.keyboard.press('Enter')
  await expectSaid(page, 'Gespeichert.')
  expect(put).toMatchObject([{ adviserNumber: '1234567', wageTypes: { hours: '100', sick: '300' } }])
})

test('a recipient declines by the link of a mail with the keyboard alone, and takes it back', async ({
  page,
  service,
}) => {
  const subscription = { company: 'Tischlerei Holm', recipient: 'l…@steuerbuero.example', declined: false }
  service.acts.set('POST /api/export-mails/subscription', () => ({ body: subscription }))
  service.acts.set('PUT /api/export-mails/subscription', ({ body }) => {
    subscription.declined = (body as { declined: boolean }).declined
    return { body: subscription }
  })
  await page.goto(`${service.url}/abmelden#gAAAAABp`)
  const decline = page.getByRole('button', { name: 'Abbestellen' })
  await expect(decline).toBeVisible()
  await judge(page, 'decline')
  await decline.press('Enter')
  await expect(page.getByText('Erledigt, du hast abbestellt.')).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Erledigt, du bekommst die E-Mails wieder.')).toBeVisible()
  expect(subscription.declined).toBe(false)
})
