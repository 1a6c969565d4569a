import { render, screen } from '@testing-library/react'
import { lazy, Suspense } from 'react'
import { expect, it } from 'vitest'
import { PageFrame } from '../../ui/PageFrame'
import { Public } from './Public'
import type { PublicPage } from './pages'

type Code = { default: () => React.JSX.Element }

let arrive: (code: Code) => void = () => {}
const Late = lazy(
  () =>
    new Promise<Code>(resolve => {
      arrive = resolve
    }),
)

function Content() {
  return (
    <Suspense>
      <Late />
    </Suspense>
  )
}

it('a page whose code comes late does not take the title from the tab', async () => {
  const page = { path: '/pruefen', title: 'Monatsnachweis prüfen · Stempelwerk', Content }
  render(<Public page={page as unknown as PublicPage} />)
  arrive({ default: () => <PageFrame title="Nachweis prüfen">Datei wählen</PageFrame> })
  await screen.findByRole('heading', { name: 'Nachweis prüfen' })
  expect(document.title).toBe('Monatsnachweis prüfen · Stempelwerk')
})
