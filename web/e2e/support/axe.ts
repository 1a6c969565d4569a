/**
 * Returns what axe finds on the current page, by the rules of WCAG 2.2 AA and axe's own best practices; or in a part of
 * it, for a dialog in front of a page that has been checked already.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Passed rules are not reported by axe: collecting them takes longer than checking. */
const OPTIONS: RunOptions = { runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'] }
/** All of those rules that look at a colour. */
const OF_COLOURS: RunOptions = {
  ...OPTIONS,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
}

/** The same code as `axe.source`, in less than half of its letters: every page compiles it. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const expectAccessible = (page: Page, what: string, part?: string) => check(page, what, OPTIONS, part)

/** For a page that has been checked already, in other colours: half of a check. */
export const expectContrasts = (page: Page, what: string) => check(page, what, OF_COLOURS)

async function check(page: Page, what: string, options: RunOptions, part?: string) {
  if (!(await page.evaluate(() => 'axe' in window))) await bring(page)
  const findings = await page.evaluate(
    async ({ options, part }) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') }
      const { violations } = await axe.run(part ?? document, options)
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(node => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
      )
    },
    { options, part },
  )
  expect(findings, what).toEqual([])
}

/** Once a page, and by the browser's own evaluating: by Playwright's it takes longer than looking, too. */
async function bring(page: Page) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Runtime.evaluate', { expression: SOURCE })
  await browser.detach()
}
