/** "Dienstplan verwalten" in the browser: a month planned by keyboard, by mouse and by thumb, and its dialogs' looks. */
import type { Page } from '@playwright/test'
import { answers } from '../../src/features/roster/samples'
import { judge } from '../support/judge'
import type { Service } from '../support/service'
import { enter, expect, expectSaid, stopTheClock, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

const SCHEDULE = '/api/companies/c-1/schedule'
const [MIA, BEN] = ['u-1', 'u-12']

type Row = (typeof answers)['GET /api/companies/c-1/schedule'][number]
type Added = Pick<Row, 'userId' | 'date'> & Partial<Pick<Row, 'start' | 'end'>>

/** The service keeps the plan, and refuses as the real one does; returns the current rows. */
function keepPlan(service: Service, rows: readonly Row[] = []) {
  for (const [call, body] of Object.entries(answers)) service.answers.set(call, { body })
  const modules = [{ id: 'f-1', key: 'schedule', label: 'Dienstplan verwalten' }]
  service.answers.set('GET /api/companies/c-1/features', { body: modules })
  service.answers.set('GET /api/companies/c-1/schedule/changes', { body: [] })
  let plan = [...rows]
  const tell = () => {
    service.answers.set(`GET ${SCHEDULE}`, { body: plan })
    service.answers.set('GET /api/companies/c-1/schedule/changes', {
      body: plan
        .filter(({ published }) => !published)
        .map(({ userId, date }) => ({ userId, date, kind: 'added' })),
    })
    for (const { id } of plan)
      service.acts.set(`DELETE ${SCHEDULE}/${id}`, () => {
        plan = plan.filter(row => row.id !== id)
        tell()
        return { status: 200, body: null }
      })
  }
  const change = (add: readonly Added[], remove: readonly string[]) => {
    const remaining = plan.filter(({ id }) => !remove.includes(id))
    const errors = add.flatMap(({ userId, date }, place) =>
      remaining.some(row => row.userId === userId && row.date === date)
        ? [{ field: `add.${place}`, message: 'Mitarbeiter ist an dem Tag bereits eingeteilt.' }]
        : [],
    )
    if (errors[0] !== undefined)
      return { status: 409, body: { code: 'already_assigned', message: errors[0].message, errors } }
    const defaults = { username: '', published: false }
    plan = [
      ...remaining,
      ...add.map(({ start = null, end = null, ...cell }) => ({
        id: `n-${cell.userId}-${cell.date}`,
        start,
        end,
        ...defaults,
        ...cell,
      })),
    ]
    tell()
    return { status: 200, body: { added: add.length, removed: remove.length, warnings: [] } }
  }
  service.acts.set(`POST ${SCHEDULE}`, ({ body }) => change([body as unknown as Added], []))
  service.acts.set(`POST ${SCHEDULE}/bulk`, ({ body }) =>
    change(body.add as Added[], (body.remove ?? []) as string[]),
  )
  service.acts.set(`POST ${SCHEDULE}/publish`, () => {
    const notifiedCount = new Set(plan.filter(({ published }) => !published).map(({ userId }) => userId)).size
    plan = plan.map(row => ({ ...row, published: true }))
    tell()
    return { status: 200, body: { told: notifiedCount } }
  })
  tell()
  return () => plan.map(({ userId, date }) => `${userId} ${date}`).sort()
}

const cell = (page: Page, userId: string, day: string) => page.locator(`[data-cell="${userId} ${day}"]`)
const go = (page: Page, service: Service, search = '') =>
  enter(page, `${service.url}/company-dashboard?tab=schedule${search}`, 'chef')

test.beforeEach(async ({ page }) => stopTheClock(page))

test('a month is planned by keyboard, taken back, copied and published', async ({ page, service }) => {
  const plan = keepPlan(service)
  await go(page, service, '&ansicht=plan')
  await cell(page, MIA, '2026-11-20').focus()
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter')
  await expectSaid(page, 'Dienst eingetragen: Mia Sommer am Montag, 23. November.')
  await expect.poll(plan).toEqual(['u-1 2026-11-23'])
  await press(' ', 'ArrowRight', ' ')
  await expectSaid(page, 'Dienst abgelegt bei Mia Sommer am Dienstag, 24. November.')
  await expect.poll(plan).toEqual(['u-1 2026-11-24'])
  // A second duty is moved onto the first: it goes back, and its cell shows the reason.
  await press('ArrowRight', 'Enter', ' ', 'ArrowLeft', ' ')
  await expect(cell(page, MIA, '2026-11-24').getByRole('alert')).toHaveText(
    'Mitarbeiter ist an dem Tag bereits eingeteilt.',
  )
  await expect(cell(page, MIA, '2026-11-25')).toHaveAccessibleName(/^Dienst/)
  await press('Escape', 'Control+z')
  await expect.poll(plan).toEqual(['u-1 2026-11-24'])
  await press('Control+y')
  await expect.poll(plan).toEqual(['u-1 2026-11-24', 'u-1 2026-11-25'])
  await page.getByRole('button', { name: 'Woche kopieren' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Vorlage von').fill('23.11.2026')
  await dialog.getByLabel('Vorlage bis').fill('24.11.2026')
  await dialog.getByLabel('Wiederholen bis').fill('29.11.2026')
  await dialog.getByRole('button', { name: 'Dienste eintragen' }).click()
  await expectSaid(page, '2 Dienste eingetragen.')
  await expect(dialog).toBeHidden()
  expect(plan()).toHaveLength(4)
  await page.getByRole('button', { name: '4 Änderungen veröffentlichen' }).click()
  await expect(dialog.getByText('Mia Sommer: 4 Tage')).toBeVisible()
  await dialog.getByRole('button', { name: 'Veröffentlichen', exact: true }).click()
  await expectSaid(page, '1 Person benachrichtigt.')
  await expect(page.getByRole('button', { name: 'Alles veröffentlicht' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Rückgängig' })).toBeDisabled()
})

test('by mouse a duty is set, carried and taken away', async ({ page, service }) => {
  const plan = keepPlan(service)
  await go(page, service, '&ansicht=plan')
  await cell(page, BEN, '2026-11-24').click()
  await expect.poll(plan).toEqual(['u-12 2026-11-24'])
  await cell(page, BEN, '2026-11-24').hover()
  await page.mouse.down()
  await cell(page, MIA, '2026-11-25').hover()
  await cell(page, MIA, '2026-11-26').hover()
  await page.mouse.up()
  await expect.poll(plan).toEqual(['u-1 2026-11-26'])
  // Brought back to where it was it stays.
  await cell(page, MIA, '2026-11-26').hover()
  await page.mouse.down()
  await cell(page, MIA, '2026-11-27').hover()
  await cell(page, MIA, '2026-11-26').hover()
  await page.mouse.up()
  await expect(page.locator('[data-held]')).toHaveCount(0)
  expect(plan()).toEqual(['u-1 2026-11-26'])
  await cell(page, MIA, '2026-11-26').click()
  await expect.poll(plan).toEqual([])
})

test('of 200 people those near the window are drawn, on paper all of them', async ({ page, service }) => {
  const ids = Array.from({ length: 200 }, (_, place) => `p-${String(place).padStart(3, '0')}`)
  keepPlan(service)
  service.answers.set('GET /api/companies/c-1/users', {
    body: ids.map(id => ({ id, username: id, role: 'user', tagId: null })),
  })
  await go(page, service, '&ansicht=plan')
  await expect(cell(page, 'p-000', '2026-11-01')).toBeVisible()
  const rows = page.getByRole('grid').locator('tbody tr')
  expect(await rows.count()).toBeLessThan(60)
  await cell(page, 'p-000', '2026-11-20').focus()
  for (let step = 1; step <= 6; step += 1) {
    // Rows that were scrolled to are drawn in the next frame.
    await expect(cell(page, `p-0${step}0`, '2026-11-20')).toBeAttached()
    await page.keyboard.press('PageDown')
    await expect(page.locator(':focus')).toHaveAttribute('data-cell', `p-0${step}0 2026-11-20`)
  }
  await page.keyboard.press('Enter')
  await expectSaid(page, 'Dienst eingetragen: p-060 am Freitag, 20. November.')
  const pdf = await page.pdf({
    preferCSSPageSize: true,
    path: process.env.LOOK && `${process.env.LOOK}/roster.pdf`,
  })
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(5)
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  test('a tap picks up and a tap lays down, in a week', async ({ page, service }) => {
    const plan = keepPlan(service)
    await go(page, service, '&ansicht=plan')
    await cell(page, MIA, '2026-11-19').tap()
    await expect.poll(plan).toEqual(['u-1 2026-11-19'])
    await cell(page, MIA, '2026-11-19').tap()
    await expect(page.getByText('Dienst von Mia Sommer ist aufgenommen.')).toBeVisible()
    await cell(page, MIA, '2026-11-21').tap()
    await expect.poll(plan).toEqual(['u-1 2026-11-21'])
    await page.getByRole('button', { name: 'Nächste Woche' }).tap()
    await expect(cell(page, MIA, '2026-11-23')).toBeVisible()
  })
})

test('the calendar, a day’s dialog and the others, in every look', async ({ page, service }) => {
  const plan = keepPlan(service, answers['GET /api/companies/c-1/schedule'])
  await go(page, service)
  await expect(page.getByRole('table', { name: 'Dienste im November 2026' })).toBeVisible()
  await judge(page, 'roster-calendar')
  await page.getByRole('button', { name: 'Montag, 23. November 2026 bearbeiten' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('checkbox', { name: 'Svenja Albers, Urlaub ab Mittag' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Einteilen' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Bitte Mitarbeiter auswählen.')
  await judge(page, 'roster-day')
  await dialog
    .getByRole('button', { name: /^Zeiten ändern für/ })
    .first()
    .click()
  const times = page.getByRole('dialog', { name: /^Zeiten ändern für/ })
  await expect(times.getByText('Montag, 23. November 2026')).toBeVisible()
  await judge(page, 'roster-times')
  await page.keyboard.press('Escape')
  await expect(times).toBeHidden()
  const countBefore = plan().length
  await dialog.getByRole('checkbox').first().check()
  await dialog.getByRole('button', { name: 'Einteilen' }).click()
  await expectSaid(page, '1 Person eingeteilt.')
  expect(plan().length).toBe(countBefore + 1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: /Änderungen veröffentlichen/ }).click()
  await judge(page, 'roster-publish')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Planansicht' }).click()
  await page.getByRole('button', { name: 'Woche kopieren' }).click()
  await dialog.getByRole('combobox', { name: 'Wessen Dienste' }).click()
  await page.getByRole('option', { name: 'Mia Sommer' }).click()
  await judge(page, 'roster-repeat')
})
