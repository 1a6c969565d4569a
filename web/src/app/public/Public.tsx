/** A public page with its title. The metadata for search engines is in its file (`heads.ts`). */
import { useEffect } from 'react'
import { TitledContext } from '../../ui/named'
import { wantApp } from '../installed'
import type { PublicPage } from './pages'

export function Public({ page }: { page: PublicPage }) {
  const { title, kept = false, Content } = page
  useEffect(() => {
    document.title = title
    if (kept) wantApp()
  }, [title, kept])
  return (
    <TitledContext value={true}>
      <Content />
    </TitledContext>
  )
}
