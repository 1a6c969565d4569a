/**
 * The pages in the system's own Chromium: where it is there, in the one that has no windows (Debian's
 * `chromium-headless-shell`), which saves a third of the work. To see why a test failed, run it with
 * `--trace retain-on-failure`: a trace of every test takes as long as a third of the tests.
 *
 * `pages/` runs against a stand-in of the service that can be told what to answer; `story/` against the real demo.
 */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { defineConfig } from '@playwright/test'

const WITH_WINDOWS = ['chromium', 'chromium-browser', 'google-chrome']

function systemChromium(names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap(name => folders.map(folder => join(folder, name))).find(existsSync)
}

/** Of every window, a page for the address bar's menu would be drawn twice: a sixth of the tests' time. */
const MENUS = ['WebUIOmniboxAimPopup', 'WebUIOmniboxPopup']
/** What Playwright switches off by itself (its `chromiumSwitches`): a browser heeds the last such list alone. */
const SWITCHED_OFF = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

function launched(names: string[], ...more: string[]) {
  const executablePath = systemChromium(names)
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // As the desktop has it: without windows, letters would lie otherwise than in the pictures.
      '--font-render-hinting=slight',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${[...SWITCHED_OFF, ...MENUS].join()}`,
      ...more,
    ],
  }
}

/** A test's page is gone before code that is compiled for speed pays off. */
const NO_OPTIMISING = '--js-flags=--no-opt --no-maglev'

/** For notices, of which the other one knows nothing, and for whatever is measured. */
export const WINDOWED = launched(WITH_WINDOWS)

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'dist/e2e',
  workers: 1,
  fullyParallel: false,
  forbidOnly: process.env.CI !== undefined,
  timeout: 120_000,
  expect: {
    timeout: 20_000,
    // Strict enough for a wrong surface in the dark: what is drawn is drawn by one rasteriser (`--disable-gpu`).
    toHaveScreenshot: {
      threshold: 0.04,
      maxDiffPixelRatio: 0.0002,
      stylePath: join(import.meta.dirname, 'e2e/support/pictures.css'),
    },
  },
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  updateSnapshots: 'none',
  reporter: [['list']],
  use: {
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 800 },
    launchOptions: launched(['chromium-headless-shell', ...WITH_WINDOWS], NO_OPTIMISING),
  },
})
