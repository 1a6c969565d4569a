/** Serves a built page as the real servers do: assets for ever, the rest to be asked for again, and their policy. */
import { createReadStream, existsSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

export const DIST = join(import.meta.dirname, '..', '..', 'dist')

interface Serving {
  folder: string
  policy: string
  /** Whether unknown paths without an extension are pages of the app. */
  pages: boolean
}

export function serveFile(path: string, response: ServerResponse, { folder, policy, pages }: Serving) {
  const wanted = path === '/' || (pages && extname(path) === '') ? '/index.html' : normalize(path)
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
