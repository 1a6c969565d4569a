/** Paginated lists: an answer's `Link` names the next page. */

/** The id in `Link: <…before=id…>; rel="next"`. */
export function nextIn(link: string | null): string | null {
  const [, address] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? []
  return address === undefined ? null : new URL(address, 'http://here').searchParams.get('before')
}
