/** A public page, and what the browser says of it: its title, its description, its one address. */
import { useEffect } from 'react'
import type { PublicPage } from './pages'

export function Public({ page }: { page: PublicPage }) {
  const { path, title, description, Content } = page
  useEffect(() => {
    document.title = title
    tag('meta[name="description"]', 'meta', { name: 'description' }).setAttribute('content', description)
    tag('link[rel="canonical"]', 'link', { rel: 'canonical' }).setAttribute(
      'href',
      window.location.origin + path,
    )
  }, [path, title, description])
  return <Content />
}

/** The tag in the document's head; made where there is none yet. */
function tag(selector: string, name: string, attributes: Record<string, string>): Element {
  const there = document.head.querySelector(selector)
  if (there !== null) return there
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  document.head.append(made)
  return made
}
