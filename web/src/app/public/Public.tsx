/** A public page, and what the browser says of it. What search engines ask for stands in its file (`heads.ts`). */
import { useEffect } from 'react'
import type { PublicPage } from './pages'

export function Public({ page }: { page: PublicPage }) {
  const { title, Content } = page
  useEffect(() => {
    document.title = title
  }, [title])
  return <Content />
}
