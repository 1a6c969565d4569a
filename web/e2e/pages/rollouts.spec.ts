/** "Donnerstag, neue Version": an administrator starts a rollout, looks at it, pauses it, and takes it back. */
import type { Page } from '@playwright/test'
import { ROLLOUTS, rollout } from '../../src/entities/rollouts/samples'
import { CLOCKS, RELEASES, SIGNATURES } from '../../src/features/fleet/samples'
import { judge } from '../support/judge'
import type { Service } from '../support/service'
import { enter, expect, expectSaid, stopTheClock, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

const DONE = ROLLOUTS.slice(2)
const dialog = (page: Page) => page.getByRole('dialog')

function becomes(service: Service, state: 'running' | 'paused' | 'rolled_back') {
  const rollouts = [rollout({ state, stage: 1, settledAt: null }), ...DONE]
  service.answers.set('GET /api/updates/rollouts', { body: rollouts })
}

test('a new version is rolled out, paused and rolled back', async ({ page, service }) => {
  await stopTheClock(page)
  service.answers.set('GET /api/clocks', { body: CLOCKS })
  service.answers.set('GET /api/updates/releases', { body: RELEASES })
  service.answers.set('GET /api/updates/signatures', { body: SIGNATURES })
  service.answers.set('GET /api/updates/rollouts', { body: DONE })
  for (const move of ['', '/r-1/pause', '/r-1/rollback'])
    service.answers.set(`POST /api/updates/rollouts${move}`, { body: rollout() })
  await enter(page, `${service.url}/admin?tab=updates`, 'root')

  await page.getByRole('button', { name: 'Rollout starten: 1.6.0 · stable' }).press('Enter')
  await expect(dialog(page).getByLabel('Dann Anteile in Prozent')).toHaveValue('5, 25, 100')
  await judge(page, 'rollout-start')
  const sent = page.waitForRequest(request => request.method() === 'POST')
  becomes(service, 'running')
  await dialog(page).getByRole('button', { name: 'Rollout starten' }).click()
  const stages = [{ clocks: 5 }, { percent: 5 }, { percent: 25 }, { percent: 100 }]
  expect((await sent).postDataJSON()).toEqual({
    version: '1.6.0',
    channel: 'stable',
    stages,
    stageDays: 1,
    now: false,
  })
  await expectSaid(page, 'Rollout von 1.6.0 gestartet.')
  await expect(page.getByText(/Wartet, bis genug Uhren dieser Stufe/)).toBeVisible()

  await page.getByRole('button', { name: 'Anhalten: 1.6.0 · stable' }).click()
  becomes(service, 'paused')
  await dialog(page).getByRole('button', { name: 'Anhalten' }).click()
  await expect(page.getByRole('button', { name: 'Fortsetzen: 1.6.0 · stable' })).toBeVisible()

  await page.getByRole('button', { name: 'Zurückrollen: 1.6.0 · stable' }).click()
  await expect(dialog(page).getByText(/43 Uhren mit dieser Version gehen zu der zurück/)).toBeVisible()
  await judge(page, 'rollout-back')
  becomes(service, 'rolled_back')
  await dialog(page).getByRole('button', { name: 'Zurückrollen' }).click()
  await expectSaid(page, 'Rollout zurückgerollt.')
  await expect(page.getByRole('button', { name: 'Zurückrollen: 1.6.0 · stable' })).toHaveCount(0)
  await expect(page.getByText(/43 Uhren haben diese Version noch/)).toBeVisible()
})
