/**
 * What axe finds on the page as it stands, by the rules of WCAG 2.2 AA and axe's own best practices; or in a part of
 * it, for a dialog in front of a page that has been looked at already.
 */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export async function expectAccessible(page: Page, what: string, part?: string) {
  // The pages have no frames: axe need not gather its findings in a window of its own, which takes longer than looking.
  const axe = new AxeBuilder({ page }).withTags(TAGS).setLegacyMode()
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze()
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  )
  expect(found, what).toEqual([])
}
