/** A page as it stands, in one of the looks: kept as a picture if wanted, fitting its window, and accessible. */
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { expectFits, type LOOKS, look, still } from './look'

/** `judge(page, what)` for one look. Of a page behind a dialog, the dialog is looked at. */
export function judging({ size, colorScheme }: (typeof LOOKS)[number]) {
  return async (page: Page, what: string) => {
    await still(page)
    await look(page, `${what}-${size}-${colorScheme}`)
    await expectFits(page, what)
    const inFront = (await page.getByRole('dialog').count()) > 0
    if (size !== 'small') await expectAccessible(page, what, inFront ? '[role=dialog]' : undefined)
  }
}
