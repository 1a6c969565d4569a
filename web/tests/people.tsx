/** People of two companies and who looks after them; and any page that is about the company in the address. */
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { type ComponentType, createElement } from 'react'
import { beforeEach } from 'vitest'
import { reportReached } from '../src/api/connectivity'
import { reload, type Session } from '../src/api/session'
import type { User } from '../src/entities/people/people'
import type { PageProps } from '../src/features/feature'
import { LoginsPage } from '../src/features/users/LoginsPage'
import { renderPage } from './page'
import { logInAs, MIA, serve, server, url } from './server'

export const ADA: User = { id: 'u-0', username: 'Ada', role: 'admin', tagId: 'FOUNDER', isLocked: false }
export const BELA: User = { id: 'u-9', username: 'Bela', role: 'admin', tagId: '04AA', isLocked: false }
export const INGRID: User = {
  id: 'u-1',
  username: 'Ingrid',
  role: 'companyAdmin',
  tagId: '04A1B2C3',
  isLocked: false,
}
export const FINN: User = { id: 'u-2', username: 'Finn', role: 'user', tagId: '04A1B2C4', isLocked: true }
export const MIRA: User = { id: 'u-3', username: 'Mira', role: 'user', tagId: '04A1B2C5', isLocked: false }
export const IT: User = { id: 'u-4', username: 'Wartung', role: 'user', tagId: 'IT', isLocked: false }

export const COMPANIES = [
  { id: 'holm', name: 'Tischlerei Holm' },
  { id: 'voss', name: 'Elektro Voss' },
  { id: 'house', name: 'Plattform' },
]

/** Who there is, by company; begins anew with every test, which may change it. */
export let people: Record<string, User[]>

const sessionOf = (userId: string, companyId: string): Session => ({
  ...MIA,
  role: 'admin',
  companyId,
  userId,
})

/** To be called by every file that uses this: `self` is logged in, and these are the people. */
export function servePeople(self: User, companyId: string, everybody: Record<string, User[]>) {
  serve()
  beforeEach(() => {
    people = structuredClone(everybody)
    reload()
    logInAs(sessionOf(self.id, companyId))
    reportReached()
    server.use(
      http.get(url('/api/companies'), () => HttpResponse.json(COMPANIES)),
      http.get(url('/api/companies/:id/users'), ({ params }) => HttpResponse.json(people[`${params.id}`])),
      http.get(url('/api/companies/:id/settings'), () => HttpResponse.json({ timeZone: 'Europe/Berlin' })),
    )
  })
}

const about = (companyId: string | null) => (companyId === null ? '/' : `/?firma=${companyId}`)

/** A page about the company in the address, or none; `choose` goes to another, as by the browser's own ways. */
export function renderAbout(Page: ComponentType<PageProps>, companyId: string | null, session: Session) {
  const rendered = renderPage(createElement(Page, { session }), about(companyId))
  const choose = (id: string | null) => rendered.go(about(id))
  return { ...rendered, choose }
}

/** To be called by every file of the logins: a founder of the house, its people and a customer's. */
export const serveLoginsPage = () =>
  servePeople(ADA, 'house', { house: [ADA, BELA], holm: [INGRID, FINN, IT] })

export const renderLogins = (companyId: string | null = 'holm', userId = ADA.id) =>
  renderAbout(LoginsPage, companyId, sessionOf(userId, 'house'))

export const renderAt = (Page: ComponentType<PageProps>, companyId: string | null, self: User, own: string) =>
  renderAbout(Page, companyId, sessionOf(self.id, own))

export const field = (name: string) => screen.getByLabelText(name) as HTMLInputElement
export const row = async (name: string) =>
  within((await screen.findByText(name)).closest('li, tr') as HTMLElement)

/** Presses what asks something, and gives the dialog that comes. */
export async function ask(button: string) {
  await userEvent.click(await screen.findByRole('button', { name: button }))
  return within(await screen.findByRole('dialog'))
}

/** Chooses in a select. Without a layout its list counts as scrolled out of sight, wherever it is. */
export async function pick(label: string, option: string) {
  const box = await screen.findByRole('combobox', { name: label })
  await userEvent.click(box)
  const list = within(document.getElementById(box.getAttribute('aria-controls') ?? '') as HTMLElement)
  await userEvent.click(list.getByRole('option', { name: option, hidden: true }))
}
