/** The screenshots of the public pages: the real pages and the real touchscreen, at 07:58 of a working day, in both colours. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { samples } from '../../src/features/schedule/samples'
import { entry } from '../support/entries'
import { enter, stopTheClock, test } from '../support/test'
import { answering, IDLE } from '../support/views'

test.use({
  viewport: { width: 390, height: 800 },
  deviceScaleFactor: 2,
  bypassCSP: true,
  serviceWorkers: 'block',
})

const INTO = join(import.meta.dirname, '../../src/app/public/shots')
const PAGES = {
  termine: { key: 'my_schedule', heading: 'Meine Termine', scroll: 0 },
  zeiten: { key: 'my_times', heading: 'Meine Zeiten', scroll: 0 },
}
const COLOURS = ['light', 'dark'] as const

/** As WebP, at this width: the browser that took it writes it. */
async function keep(page: Page, name: string, width: number) {
  const screenshot = (await page.screenshot()).toString('base64')
  const scaled = await page.evaluate(
    async ([png, width]) => {
      const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
      const canvas = document.createElement('canvas')
      canvas.width = width
      canvas.height = Math.round((picture.height * width) / picture.width)
      const context = canvas.getContext('2d')
      if (context === null) throw new Error('no canvas')
      context.imageSmoothingQuality = 'high'
      context.drawImage(picture, 0, 0, canvas.width, canvas.height)
      return canvas.toDataURL('image/webp', 0.82)
    },
    [screenshot, width] as const,
  )
  writeFileSync(join(INTO, `${name}.webp`), Buffer.from(scaled.split(',')[1] ?? '', 'base64'))
}

/** A Friday on which all employees come to work: the pictures are the same whenever they are taken. */
const NOW = new Date('2026-11-20T06:58:20Z')
/** Days without an entry to review. */
const DAYS = ['02', '03', '04', '05', '06', '09', '10', '11', '12', '13', '16', '17', '18', '19']
const END_TIMES = ['16:04', '16:31', '15:58', '16:12', '13:29']

for (const colorScheme of COLOURS) {
  test(`the employee’s pages, ${colorScheme}`, async ({ page, service }) => {
    mkdirSync(INTO, { recursive: true })
    await page.emulateMedia({ colorScheme })
    await stopTheClock(page, NOW)
    for (const { answers } of samples)
      for (const [call, body] of Object.entries(answers)) service.answers.set(call, { body })
    service.answers.set('GET /api/time-corrections/mine', { body: [] })
    service.entries = [
      ...DAYS.map((day, place) =>
        entry(
          `2026-11-${day}`,
          `0${place % 2 === 0 ? '6:5' : '7:0'}${place % 10}`,
          END_TIMES[place % 5] ?? null,
        ),
      ),
      entry('2026-11-20', '07:58', null, { running: true }),
    ]
    for (const [name, { key, heading, scroll }] of Object.entries(PAGES)) {
      await enter(page, `${service.url}/dashboard?tab=${key}`)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      // Late content has arrived, and nothing moves any more.
      await page.waitForTimeout(1_500)
      await page.evaluate(by => window.scrollTo(0, by), scroll)
      await page.waitForTimeout(200)
      await keep(page, `${name}-${colorScheme}`, 560)
    }
  })
}

test.describe('the touchscreen', () => {
  test.use({ viewport: { width: 800, height: 480 } })

  test('ready, and after a tap', async ({ page, agent }) => {
    await stopTheClock(page, NOW)
    await page.goto(agent.url)
    agent.show(IDLE)
    await page.getByText('Chip anhalten, fertig.').waitFor()
    await page.waitForTimeout(1_000)
    await keep(page, 'uhr-bereit', 800)
    agent.show(answering({ name: 'Anna Brandt' }))
    await page.getByText('Hallo, Anna Brandt').waitFor()
    await page.waitForTimeout(300)
    await keep(page, 'uhr-kommen', 800)
  })
})
