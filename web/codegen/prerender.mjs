/**
 * Writes dist/app/pages/*.html, sitemap.xml and robots.txt beside the built app: each public page as it is, readable
 * without JavaScript, with what search engines and messengers ask for. `⟦…⟧` is filled by the service that serves them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pages, render } from '../dist/pages/prerender.js'

const DIST = join(import.meta.dirname, '../dist/app')
const shell = readFileSync(join(DIST, 'index.html'), 'utf8')
const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'))

/** The shell's own style sheet and script. */
const SHELL_LINK = /<link rel="stylesheet"[^>]*href="\/([^"]+)">/
const SHELL_SCRIPT = /<script type="module"[^>]*src="\/([^"]+)"><\/script>/
const SHELL_STYLE = SHELL_LINK.exec(shell)[1]
const MAIN = SHELL_SCRIPT.exec(shell)[1]

const styleOf = file => readFileSync(join(DIST, file), 'utf8').replaceAll('</', '<\\/')

const nameOf = path => (path === '/' ? 'index' : path.slice(1))
const escaped = text => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)

/** The chunks that a page's own imports at once, itself the last; without what the shell has already. */
function chunksOf(source) {
  const found = new Map()
  const visit = key => {
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`the build knows no ${key}`)
    if (found.has(key) || chunk.isEntry) return
    found.set(key, chunk)
    for (const next of chunk.imports ?? []) visit(next)
  }
  visit(source)
  return [...found.values()].reverse()
}

function headOf({ path, title, description, source }) {
  const chunks = chunksOf(source)
  const styles = [SHELL_STYLE, ...chunks.flatMap(({ css = [] }) => css)]
  const address = `⟦origin⟧${path}`
  const card = `⟦origin⟧/cards/${nameOf(path)}.jpg`
  const meta = {
    description,
    'twitter:card': 'summary_large_image',
  }
  const graph = {
    'og:type': 'website',
    'og:site_name': 'Stempelwerk',
    'og:locale': 'de_DE',
    'og:title': title,
    'og:description': description,
    'og:url': address,
    'og:image': card,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': title,
  }
  return [
    `<title>${escaped(title)}</title>`,
    ...Object.entries(meta).map(([name, text]) => `<meta name="${name}" content="${escaped(text)}" />`),
    ...Object.entries(graph).map(([name, text]) => `<meta property="${name}" content="${escaped(text)}" />`),
    `<link rel="canonical" href="${address}" />`,
    // In the page, so that nothing has to come before the first picture of it. The links are for the app, which would
    // otherwise fetch the sheets once more with its code; nobody waits for one that is for paper.
    `<style>${styles.map(styleOf).join('')}</style>`,
    ...styles.map(file => `<link rel="stylesheet" crossorigin media="print" href="/${file}" />`),
    // What a press would show stands there for whoever has no JavaScript.
    '<noscript><style>[role=tabpanel][hidden]{display:block}</style></noscript>',
    ...(path === '/impressum' ? ['<script type="application/ld+json">⟦organization⟧</script>'] : []),
  ].join('\n    ')
}

/**
 * The page, what the installation says of itself, and the app. Its code is asked for once the page has been painted, the
 * page's own part together with it: on a slow line the words come first.
 */
const bodyOf = (html, { source }) => `<div id="root">${html}</div>
    <script type="application/json" id="site">⟦site⟧</script>
    <script>
      {
        let begun = false
        const add = (tag, more) => document.head.append(Object.assign(document.createElement(tag), more))
        const begin = () => {
          if (begun) return
          begun = true
          for (const file of ${JSON.stringify(chunksOf(source).map(({ file }) => file))}) add('link', { rel: 'modulepreload', href: '/' + file, crossOrigin: '' })
          add('script', { type: 'module', src: '/${MAIN}', crossOrigin: '' })
        }
        new PerformanceObserver(begin).observe({ type: 'paint', buffered: true })
        setTimeout(begin, 2500)
      }
    </script>`

/** The shell with something in the place of what it has for pages that are behind the login. */
function replaced(page, pattern, text) {
  if (!pattern.test(page)) throw new Error(`the shell has no ${pattern}`)
  return page.replace(pattern, () => text)
}

mkdirSync(join(DIST, 'pages'), { recursive: true })
for (const page of pages) {
  let document = replaced(shell, /\s*<noscript>[\s\S]*?<\/noscript>/, '')
  document = replaced(document, /\s*<meta name="robots"[^>]*>/, '')
  document = replaced(document, SHELL_LINK, '')
  document = replaced(document, SHELL_SCRIPT, '').replace(/\s*<link rel="modulepreload"[^>]*>/g, '')
  document = replaced(document, /<title>.*<\/title>/, headOf(page))
  document = replaced(document, /<div id="root"><\/div>/, bodyOf(await render(page.path), page))
  writeFileSync(join(DIST, 'pages', `${nameOf(page.path)}.html`), document)
}

writeFileSync(
  join(DIST, 'sitemap.xml'),
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map(({ path }) => `  <url><loc>⟦origin⟧${path}</loc></url>`).join('\n')}
</urlset>
`,
)
writeFileSync(
  join(DIST, 'robots.txt'),
  `User-agent: *
Disallow: /api/
Disallow: /dashboard
Disallow: /company-dashboard
Disallow: /admin

Sitemap: ⟦origin⟧/sitemap.xml
`,
)
rmSync(join(DIST, '.vite'), { recursive: true })
