/**
 * Whether the service has another version of the app than this page, and the update of the page. After an update the
 * service has only the new version's files: parts that an older page has not fetched are gone.
 */

const ASK_LIMIT_MS = 10_000
const MISSING = 404

/**
 * Whether the service still has a part that failed to load: false if it was replaced, null if unknown. `cause`: the
 * import's error.
 */
export async function isKept(cause: unknown): Promise<boolean | null> {
  // Not every browser names the file that failed; the page's entry file changes with every update.
  const missingPart = /(https?:\/)?\/\S+\.(js|css)\b/.exec(String(cause))?.[0]
  const first = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src
  const answers = await Promise.all([missingPart, first].map(has))
  return answers.includes(false) ? false : answers.includes(true) || null
}

/** False for a missing file, or a page in its place. Bypasses the worker, which answers from its cache. */
async function has(address: string | undefined): Promise<boolean | null> {
  if (address === undefined) return null
  try {
    const signal = AbortSignal.timeout(ASK_LIMIT_MS)
    const answer = await fetch(address, { method: 'HEAD', cache: 'no-store', signal })
    return answer.ok ? !isPage(answer) : answer.status === MISSING ? false : null
  } catch {
    return null
  }
}

const isPage = (answer: Response) => answer.headers.get('Content-Type')?.startsWith('text/html') === true

/** Reloads the page in the newest version. If a worker caches the app, its updater registers here. */
export const newest = { load: () => window.location.reload() }
