/** Serves a built page as the real servers do: assets for ever, the rest to be asked for again, and their policy. */
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
  /** Whether unknown paths without an extension are pages of the app; public ones say this of the installation. */
  pages: Site | null
}

export function serveFile(path: string, response: ServerResponse, { folder, policy, pages }: Serving) {
  const written =
    pages === null ? '' : join(folder, 'pages', path === '/' ? 'index.html' : `${normalize(path)}.html`)
  if (pages !== null && extname(path) === '' && existsSync(written)) {
    const headers = {
      'Content-Type': TYPES['.html'],
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': policy,
    }
    response.writeHead(200, headers).end(filled(readFileSync(written, 'utf8'), pages))
    return
  }
  const wanted = path === '/' || (pages !== null && extname(path) === '') ? '/index.html' : normalize(path)
  const file = join(folder, wanted)
  const type = TYPES[extname(file)]
  if (!file.startsWith(folder) || type === undefined || !existsSync(file)) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, {
    'Content-Type': type,
    'Cache-Control': wanted.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Security-Policy': policy,
  })
  createReadStream(file).pipe(response)
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
