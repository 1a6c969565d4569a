/** Judges the current page in every look: stored as a picture if wanted, fitting its window, and accessible. */
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { expectFits, expectLevel, LOOKS, look, still } from './look'

type Size = (typeof LOOKS)[number]['size']

/**
 * Switches the open page from look to look, and back to its own. If a dialog is open, only the dialog is checked. A
 * narrow window shows axe nothing that a phone has not shown it. Checks of one size are made in `there`.
 */
export async function judge(page: Page, what: string, there?: (size: Size) => Promise<void>) {
  const originalSize = page.viewportSize()
  for (const { size, viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await there?.(size)
    // A target that is scrolled half beneath the bar is not too small.
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await still(page)
    const name = `${what}-${size}-${colorScheme}`
    await look(page, name)
    await expectFits(page, name)
    await expectLevel(page, name)
    const inFront = (await page.getByRole('dialog').count()) > 0
    if (size !== 'small') await expectAccessible(page, name, inFront ? '[role=dialog]' : undefined)
  }
  if (originalSize !== null) await page.setViewportSize(originalSize)
  await page.emulateMedia({ colorScheme: null })
}
