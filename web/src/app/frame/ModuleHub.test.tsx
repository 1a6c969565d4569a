import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { type ReactNode, useState } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { renderPage } from '../../../tests/page'
import { held, logInAs, serve, server, url } from '../../../tests/server'
import { currentSession, reload } from '../../api/session'
import { timeOf } from '../../ui/days'
import { Person } from '../../ui/icons'
import { type Module, ModuleHub } from './ModuleHub'

serve()
beforeEach(() => {
  reload()
  logInAs()
})

const modules = (count: number): Module[] =>
  Array.from({ length: count }, (_, index) => ({
    key: `m${index + 1}`,
    label: `Modul ${index + 1}`,
    short: `M${index + 1}`,
    icon: Person,
    content: <h1>{`Inhalt ${index + 1}`}</h1>,
  }))

function Changing({ first, then }: { first: ReactNode; then: ReactNode }) {
  const [changed, setChanged] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setChanged(true)}>
        Weiter
      </button>
      {changed ? then : first}
    </>
  )
}

async function openMore() {
  await userEvent.click(screen.getByRole('button', { name: 'Mehr' }))
  return within(await screen.findByRole('dialog', { name: 'Mehr' }))
}

const Time = () => <p>{timeOf(new Date('2026-11-20T10:00:00Z'))}</p>

describe('local times', () => {
  it.each([
    ['Europe/Lisbon', '10:00'],
    ['Europe/Berlin', '11:00'],
    // A zone that the browser does not know is ignored.
    ['Europe/Nirgendwo', '11:00'],
  ])('are those of the company’s zone, as soon as that is known: %s', async (timeZone, time) => {
    const { answer, release } = held(() => HttpResponse.json({ id: 'c-1', name: 'Holm', timeZone }))
    server.use(http.get(url('/api/companies/c-1'), answer))
    const module = { key: 'm1', label: 'Modul', short: 'M', icon: Person, content: <Time /> }
    renderPage(<ModuleHub title="Bereich" username="Mia" modules={[module]} />)
    await screen.findByText('11:00')
    release()
    await screen.findByText(time)
  })
})

describe('the hub', () => {
  it('carries what belongs to every module along, and nothing else', async () => {
    const hub = <ModuleHub title="Hub" modules={modules(2)} username="Mia" keep={['firma']} />
    const { where } = renderPage(hub, '/admin?firma=c%207&monat=2026-10')
    await userEvent.click(screen.getByRole('link', { name: 'Modul 2' }))
    expect(where()).toBe('/admin?tab=m2&firma=c+7')
    expect(screen.getByRole('heading', { name: 'Inhalt 2' })).toBeTruthy()
  })

  it('has four modules on the phone’s bar; the others stand behind "Mehr", which closes behind one', async () => {
    const { where } = renderPage(<ModuleHub title="Hub" modules={modules(6)} username="Mia" />)
    const sheet = await openMore()
    expect(sheet.getAllByRole('link').map(link => link.textContent)).toEqual(['Modul 5', 'Modul 6'])
    expect(sheet.getByText('Mia')).toBeTruthy()
    await userEvent.click(sheet.getByRole('link', { name: 'Modul 6' }))
    expect(where()).toBe('/?tab=m6')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const reopened = await openMore()
    expect(reopened.getByRole('link', { name: 'Modul 6' }).getAttribute('aria-current')).toBe('page')
  })

  it('has four on the bar whatever place the one has that stands aside', async () => {
    const [first, ...others] = modules(5)
    const aside = { ...(first as Module), aside: true }
    renderPage(<ModuleHub title="Hub" modules={[aside, ...others]} username="Mia" />)
    expect((await openMore()).getAllByRole('link').map(link => link.textContent)).toEqual(['Modul 1'])
  })

  it('stays with the module that it has shown first, whatever comes before it later', async () => {
    const hub = (more: Partial<Parameters<typeof ModuleHub>[0]>) => (
      <ModuleHub title="Hub" modules={modules(3)} username="Mia" {...more} />
    )
    renderPage(<Changing first={hub({ preselected: 'm3' })} then={hub({})} />)
    expect(screen.getByRole('heading', { name: 'Inhalt 3' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Weiter' }))
    expect(screen.getByRole('heading', { name: 'Inhalt 3' })).toBeTruthy()
  })

  it('shows another when that is gone', async () => {
    const hub = (from: number) => <ModuleHub title="Hub" modules={modules(3).slice(from)} username="Mia" />
    renderPage(<Changing first={hub(0)} then={hub(1)} />)
    await userEvent.click(screen.getByRole('button', { name: 'Weiter' }))
    expect(screen.getByRole('heading', { name: 'Inhalt 2' })).toBeTruthy()
  })

  it('has who is logged in, and the way out, behind "Mehr" and nowhere else', async () => {
    server.use(http.post(url('/api/logout'), () => new HttpResponse(null, { status: 204 })))
    renderPage(<ModuleHub title="Hub" modules={modules(2)} username="Mia" />)
    expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull()
    const sheet = await openMore()
    expect(await sheet.findByText('Tischlerei Holm')).toBeTruthy()
    expect(sheet.getByText(/Angemeldet als/).textContent).toContain('Mia')
    await userEvent.click(sheet.getByRole('button', { name: 'Logout' }))
    expect(currentSession()).toBeNull()
  })

  it('needs no list behind "Mehr" when all fit', async () => {
    renderPage(<ModuleHub title="Hub" modules={modules(4)} username="Mia" />)
    expect((await openMore()).queryByRole('list')).toBeNull()
  })
})
