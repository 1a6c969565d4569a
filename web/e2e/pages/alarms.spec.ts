/**
 * A company's administrator sees that a clock is silent, names who takes care of it, and sets what is mailed, by
 * keyboard.
 */
import { samples } from '../../src/features/devices/samples'
import { judge } from '../support/judge'
import { enter, expect, expectSaid, opened, stopTheClock, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

const SETTINGS = { mail: true, quietFrom: '22:00', quietTo: '06:00', kinds: ['silent', 'network', 'disk'] }

test('a silent clock is acknowledged, and what is mailed is set', async ({ page, service }) => {
  await stopTheClock(page)
  const module = { id: 'f-1', key: 'devices', label: 'Geräte verwalten' }
  const answers = {
    'GET /api/companies/c-1/features': [module],
    'GET /api/alarm-settings': SETTINGS,
    ...samples[0]?.answers,
  }
  for (const [call, body] of Object.entries(answers)) service.answers.set(call, { body })
  const [alarm] = answers['GET /api/alarms' as never] as object[]
  service.acts.set('POST /api/alarms/a-1/acknowledge', () => {
    const body = { ...alarm, acknowledgedBy: 'Chef' }
    service.answers.set('GET /api/alarms', { body: [body] })
    return { body }
  })
  const put: unknown[] = []
  service.acts.set('PUT /api/alarm-settings', ({ body }) => {
    put.push(body)
    return { body }
  })
  await enter(page, `${service.url}/company-dashboard?tab=devices`, 'chef')
  await page.getByRole('button', { name: '„Montagewagen“, meldet sich nicht: bestätigen' }).press('Enter')
  await expectSaid(page, 'Bestätigt: Du kümmerst dich darum.')
  await expect(page.getByRole('row', { name: /Montagewagen.*Chef/ })).toBeVisible()
  await page.getByRole('button', { name: 'Alarme einstellen' }).press('Enter')
  const dialog = await opened(page.getByRole('dialog', { name: 'Alarme einstellen' }))
  await judge(page, 'alarms-settings')
  await dialog.getByRole('checkbox', { name: 'Speicher fast voll' }).press('Space')
  await page.keyboard.press('Enter')
  await expectSaid(page, 'Gespeichert.')
  expect(put).toEqual([{ ...SETTINGS, kinds: ['silent', 'network'] }])
})
