/** Serves a built page as the real servers do: assets for ever, the rest to be asked for again, and their policy. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import type { Site } from '../../src/app/public/site'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

export const DIST = join(import.meta.dirname, '..', '..', 'dist')

interface Serving {
  folder: string
  policy: string
  /** Whether unknown paths without an extension are pages of the app; public ones state this of the installation. */
  pages: Site | null
}

export function serveFile(path: string, response: ServerResponse, { folder, policy, pages }: Serving) {
  const pageFile =
    pages === null ? '' : join(folder, 'pages', path === '/' ? 'index.html' : `${normalize(path)}.html`)
  if (pages !== null && extname(path) === '' && existsSync(pageFile)) {
    response.writeHead(200, headersOf(pageFile, policy)).end(filled(readFileSync(pageFile, 'utf8'), pages))
    return
  }
  const assetPath = path === '/' || (pages !== null && extname(path) === '') ? '/index.html' : normalize(path)
  const file = join(folder, assetPath)
  if (!file.startsWith(folder) || !(extname(file) in TYPES) || !existsSync(file)) {
    response.writeHead(404).end()
    return
  }
  const forEver = assetPath.startsWith('/assets/') && {
    'Cache-Control': 'public, max-age=31536000, immutable',
  }
  response.writeHead(200, { ...headersOf(file, policy), ...forEver })
  createReadStream(file).pipe(response)
}

/** Inline scripts of a page are allowed by their hashes. */
function headersOf(file: string, policy: string) {
  const page = extname(file) === '.html' ? readFileSync(file, 'utf8') : ''
  const hashes = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  return {
    'Content-Type': TYPES[extname(file)],
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': `${policy}; script-src 'self' ${hashes.join(' ')}`,
  }
}

/** As the service fills a page: each token by what it is the path of. */
function filled(page: string, site: Site): string {
  return page.replace(/⟦([^⟧]+)⟧/g, (token, path: string) => {
    if (path === 'site') return JSON.stringify(site).replaceAll('<', '\\u003c')
    if (path === 'organization') return '{"@context":"https://schema.org","@type":"Organization"}'
    const value = path
      .split('.')
      .reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], site)
    return value === undefined ? token : String(value).replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
  })
}
