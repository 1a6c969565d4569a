/** The screenshots of the public pages: the real pages and the real touchscreen, of the real demo, in both colours. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, test } from '@playwright/test'
import { Demo } from '../support/demo'

const INTO = join(import.meta.dirname, '../../src/app/public/shots')
const PAGES = {
  termine: { key: 'my_schedule', heading: 'Meine Termine', scroll: 0 },
  zeiten: { key: 'my_times', heading: 'Meine Zeiten', scroll: 560 },
}
const ANNA = '04A1B2C3D4E5F6'
const COLOURS = ['light', 'dark'] as const

/** As WebP, at this width: the browser that took it writes it. */
async function keep(page: Page, name: string, width: number) {
  const taken = (await page.screenshot()).toString('base64')
  const made = await page.evaluate(
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
    [taken, width] as const,
  )
  writeFileSync(join(INTO, `${name}.webp`), Buffer.from(made.split(',')[1] ?? '', 'base64'))
}

test('the screenshots of the public pages', async ({ browser }) => {
  test.setTimeout(400_000)
  mkdirSync(INTO, { recursive: true })
  const demo = await Demo.start()
  try {
    const phone = await browser.newPage({
      viewport: { width: 390, height: 800 },
      deviceScaleFactor: 2,
      bypassCSP: true,
    })
    const clock = await browser.newPage({
      viewport: { width: 800, height: 480 },
      deviceScaleFactor: 2,
      bypassCSP: true,
    })
    await clock.goto(demo.clock)
    await clock.getByText('Chip anhalten, fertig.').waitFor()
    await clock.waitForTimeout(1_000)
    await keep(clock, 'uhr-bereit', 800)
    await demo.logIn(phone, 'Anna Brandt', '/dashboard', PAGES.termine.heading)
    const tap = demo.tap(ANNA)
    await clock.getByText('Hallo, Anna Brandt').waitFor()
    await keep(clock, 'uhr-kommen', 800)
    await tap
    for (const [name, { key, heading, scroll }] of Object.entries(PAGES)) {
      for (const colorScheme of COLOURS) {
        await phone.emulateMedia({ colorScheme })
        await phone.goto(`${demo.cloud}/dashboard?tab=${key}`)
        await phone.getByRole('heading', { name: heading, level: 1 }).waitFor()
        // Whatever comes later has come, and nothing moves any more.
        await phone.waitForTimeout(1_500)
        await phone.evaluate(by => window.scrollTo(0, by), scroll)
        await phone.waitForTimeout(200)
        await keep(phone, `${name}-${colorScheme}`, 560)
      }
    }
  } finally {
    await demo.stop()
  }
})
