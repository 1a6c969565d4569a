/** A page as it stands, in every look: kept as a picture if wanted, fitting its window, and accessible. */
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { expectFits, expectLevel, LOOKS, look, still } from './look'

type Size = (typeof LOOKS)[number]['size']

/**
 * The page is switched from look to look where it stands, and back to its own. Of a page behind a dialog, the dialog is
 * looked at. A narrow window shows axe nothing that a phone has not shown it. What a size has of its own is asked `there`.
 */
export async function judge(page: Page, what: string, there?: (size: Size) => Promise<void>) {
  const own = page.viewportSize()
  for (const { size, viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await there?.(size)
    // Half beneath the bar, where somebody has scrolled it to, a target is too small for nobody.
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await still(page)
    const name = `${what}-${size}-${colorScheme}`
    await look(page, name)
    await expectFits(page, name)
    await expectLevel(page, name)
    const inFront = (await page.getByRole('dialog').count()) > 0
    if (size !== 'small') await expectAccessible(page, name, inFront ? '[role=dialog]' : undefined)
  }
  if (own !== null) await page.setViewportSize(own)
  await page.emulateMedia({ colorScheme: null })
}
