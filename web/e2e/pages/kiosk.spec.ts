import type { Page } from '@playwright/test'
import type { View } from '../../src/kiosk/view'
import { expectAccessible } from '../support/axe'
import { expect, test } from '../support/test'
import { answering, IDLE } from '../support/views'

const STATES: Record<string, View> = {
  idle: IDLE,
  offline: { ...IDLE, connection: 'offline', queued: 3 },
  'not connected': { ...IDLE, connection: 'not_connected', queued: 12, timeTrusted: false },
  chosen: { ...IDLE, chosen: 'in' },
  'reader fault': { ...IDLE, reader: 'fault' },
  'storage failed': { ...IDLE, storage: 'failed' },
  notice: { ...IDLE, notice: 'unreadable_tag' },
  in: answering({}),
  out: answering({ kind: 'out', sent: false, time: '16:31', todayMinutes: 482, balanceMinutes: -25 }),
  'out with a remark': answering({
    kind: 'out',
    todayMinutes: 640,
    balanceMinutes: -6_025,
    warnings: ['over_10_h'],
  }),
  'double tap': answering({ kind: 'double_tap', since: '07:58' }),
  unknown: answering({
    kind: 'unknown',
    name: null,
    tag: '04112233445566778899',
    todayMinutes: null,
    balanceMinutes: null,
  }),
  'not saved': answering({ kind: 'not_saved', sent: false }),
  'long name': answering({ name: 'Maximiliane-Charlotte von Hohenstein-Schlüterburg' }),
  direction: answering({ kind: 'out', question: 'direction', openSince: '2026-11-19T19:02:00.000Z' }),
  gone: answering({ question: 'gone', questionDate: '2026-11-19' }),
  unassigned: { ...IDLE, screen: 'unassigned', companyName: null, clockName: '', claimCode: '7K3MQX9P' },
}

const mark: Record<string, string> = { unassigned: '7K3MQX9P', chosen: 'jetzt Chip anhalten' }

async function show(page: Page, agent: { show: (view: View) => void }, name: string) {
  const view = STATES[name] as View
  agent.show({ ...view, clockName: `Uhr ${name}`, companyName: view.companyName })
  const wanted = view.answer === null ? (mark[name] ?? `Uhr ${name}`) : null
  if (wanted !== null) await expect(page.getByText(wanted)).toBeVisible()
  else await expect(page.getByRole('main')).toHaveAttribute('data-kind', view.answer?.kind ?? '')
}

for (const viewport of [
  { width: 800, height: 480 },
  { width: 1024, height: 600 },
]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`${viewport.width} × ${viewport.height}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme, hasTouch: true })

      test('every state fits, has targets of 64 px, and nothing for axe to find', async ({ page, agent }) => {
        await page.goto(agent.url)
        for (const name of Object.keys(STATES)) {
          await show(page, agent, name)
          expect(await overflowing(page), name).toEqual([])
          const small = await page.getByRole('button').evaluateAll(targets =>
            targets
              .map(target => target.getBoundingClientRect())
              .filter(({ width, height }) => width < 64 || height < 64)
              .map(({ width, height }) => `${width} × ${height}`),
          )
          expect(small, name).toEqual([])
          // The larger display shows the same, only larger.
          if (viewport.width === 800) await expectAccessible(page, name)
        }
      })
    })
  }
}

/** What sticks out of the display, or out of a box that cuts it off in height. */
async function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('#root *')]
      .filter(element => {
        const { left, top, right, bottom, width, height } = element.getBoundingClientRect()
        if (width <= 1 || height <= 1) return false
        return left < -7 || top < -7 || right > window.innerWidth + 7 || bottom > window.innerHeight + 7
      })
      .map(element => `${element.tagName} ${element.textContent?.slice(0, 40)}`),
  )
}

test.describe('at the clock', () => {
  test.use({ viewport: { width: 800, height: 480 }, hasTouch: true })

  test('a finger chooses, answers and types', async ({ page, agent }) => {
    await page.goto(agent.url)
    await page.getByRole('button', { name: 'Gehen' }).tap()
    await expect.poll(() => agent.posts).toEqual([{ path: '/choice', body: { direction: 'out' } }])
    await show(page, agent, 'gone')
    for (const key of ['1', '7', '0', '5']) await page.getByRole('button', { name: key, exact: true }).tap()
    await page.getByRole('button', { name: 'Fertig' }).tap()
    await expect
      .poll(() => agent.posts.at(-1))
      .toEqual({ path: '/answer', body: { stampId: 's-1', newEnd: '17:05' } })
  })

  test('an agent that is gone is said, and its return ends that', async ({ page, agent }) => {
    await page.goto(agent.url)
    await expect(page.getByText('Chip anhalten, fertig.')).toBeVisible()
    const port = Number(new URL(agent.url).port)
    await agent.stop()
    await expect(page.getByText('Gleich geht es weiter')).toBeVisible()
    await agent.start(port)
    await expect(page.getByText('Chip anhalten, fertig.')).toBeVisible()
  })

  test('the time ticks by itself', async ({ page, agent }) => {
    await page.clock.install({ time: new Date('2026-11-20T06:57:58Z') })
    await page.goto(agent.url)
    await expect(page.getByText('07:57')).toBeVisible()
    await page.clock.runFor(3_000)
    await expect(page.getByText('07:58')).toBeVisible()
  })
})

test('nothing moves under reduced motion', async ({ browser, agent, service }) => {
  const context = await browser.newContext({ reducedMotion: 'reduce', serviceWorkers: 'block' })
  const page = await context.newPage()
  for (const url of [agent.url, service.url]) {
    await page.goto(url)
    await expect(page.getByRole('main')).toBeVisible()
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll('*')].flatMap(element => {
        const { transitionDuration, animationDuration, animationName } = getComputedStyle(element)
        const durations =
          animationName === 'none' ? [transitionDuration] : [transitionDuration, animationDuration]
        return durations.filter(duration => duration.split(', ').some(part => Number.parseFloat(part) > 0))
      }),
    )
    expect(moving).toEqual([])
  }
  await context.close()
})
