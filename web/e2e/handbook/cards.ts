/** The preview that a messenger shows for a link to a public page: its title and the clock. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@playwright/test'

const ROOT = join(import.meta.dirname, '../..')
const INTO = join(ROOT, 'public/cards')
const CARDS: Readonly<Record<string, [string, string]>> = {
  index: ['Chip dran. Gestempelt.', 'Zeiterfassung mit NFC-Stempeluhr'],
  produkte: ['Die Uhr, die ja meint, wenn sie ja sagt.', 'Stempeluhr V2'],
  services: ['Wir gehen erst, wenn es von allein läuft.', 'Services'],
  newsletter: ['Was sich geändert hat.', 'Updates'],
  shop: ['Neun Produkte, ein System.', 'Shop'],
  'ueber-uns': ['Wir mögen Uhren, denen man glaubt.', 'Über uns'],
  kontakt: ['Wie viele Türen hast du?', 'Kontakt'],
  impressum: ['Wer hier verantwortlich ist.', 'Impressum'],
  datenschutz: ['Was gespeichert wird, und wie lange.', 'Datenschutz'],
  pruefen: ['Stimmt der Nachweis?', 'Monatsnachweis prüfen'],
}

const inside = (file: string, type: string) =>
  `data:${type};base64,${readFileSync(join(ROOT, file)).toString('base64')}`

test('the cards of the public pages', async ({ browser }) => {
  mkdirSync(INTO, { recursive: true })
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
  const art = inside('src/app/public/pictures/card.svg', 'image/svg+xml')
  const mark = inside('public/icon.svg', 'image/svg+xml')
  const font = inside(
    'node_modules/@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
    'font/woff2',
  )
  for (const [name, [title, kind]] of Object.entries(CARDS)) {
    await page.setContent(`<style>
      @font-face { font-family: Figtree; font-weight: 300 900; src: url(${font}) }
      body { margin: 0; font-family: Figtree; color: #1c1917; background: #fbfaf8 url(${art}) 0 0 / cover }
      main { box-sizing: border-box; width: 660px; height: 630px; padding: 64px 0 64px 72px; display: flex; flex-direction: column }
      header { display: flex; align-items: center; gap: 16px; font-size: 32px; font-weight: 750 }
      h1 { margin: auto 0 20px; font-size: 60px; font-weight: 780; line-height: 1.06; letter-spacing: -0.035em; text-wrap: balance }
      p { margin: 0 0 auto; font-size: 30px; color: #5f5850 }
    </style><main><header><img src="${mark}" width="56" height="56" alt="">Stempelwerk</header><h1>${title}</h1><p>${kind}</p></main>`)
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: join(INTO, `${name}.jpg`), type: 'jpeg', quality: 84 })
  }
})
