/**
 * Whether the service has another version of the app than this page, and how the page becomes that one. After an update
 * the service has the new version's parts alone: what an older page has not fetched by then never comes.
 */

const ASK_LIMIT_MS = 10_000
const MISSING = 404

/**
 * Whether the service has a part that did not come: not where that was replaced, and null where nobody says. `cause`:
 * how its import failed.
 */
export async function isKept(cause: unknown): Promise<boolean | null> {
  // Not every browser names what it could not fetch; the part that the page began with goes with any update.
  const missingPart = /(https?:\/)?\/\S+\.(js|css)\b/.exec(String(cause))?.[0]
  const first = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src
  const answers = await Promise.all([missingPart, first].map(has))
  return answers.includes(false) ? false : answers.includes(true) || null
}

/** Not where nothing is there, or a page in its place. The worker is not asked: it answers what is fetched to be read. */
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

/** Loads the page anew, in the newest version there is. Where a worker keeps the app, what does that says so here. */
export const newest = { load: () => window.location.reload() }
