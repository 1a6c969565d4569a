/** People of two companies and who looks after them; the page of logins, and any page under a picker. */
import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { type ReactNode, useState } from 'react'
import { beforeEach } from 'vitest'
import { reportReached } from '../src/api/connectivity'
import { reload } from '../src/api/session'
import { LoginsPage } from '../src/features/users/LoginsPage'
import type { User } from '../src/features/users/people'
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

/** Who there is, by company; begins anew with every test, which may change it. */
export let people: Record<string, User[]>

/** To be called by every file that uses this: `self` is logged in, and these are the people. */
export function servePeople(self: User, companyId: string, everybody: Record<string, User[]>) {
  serve()
  beforeEach(() => {
    people = structuredClone(everybody)
    reload()
    logInAs({ ...MIA, role: 'admin', companyId, userId: self.id })
    reportReached()
    server.use(
      http.get(url('/api/companies/:id/users'), ({ params }) => HttpResponse.json(people[`${params.id}`])),
      http.get(url('/api/companies/:id/settings'), () => HttpResponse.json({ timeZone: 'Europe/Berlin' })),
    )
  })
}

/** A company's id; null: none is chosen; undefined: that is not known yet. */
type Chosen = string | null | undefined

interface UnderPicker {
  page: (companyId: Chosen) => ReactNode
  start: Chosen
}

let pick: (companyId: Chosen) => void

function Choosing({ page, start }: UnderPicker) {
  const [companyId, setCompanyId] = useState(start)
  pick = setCompanyId
  return page(companyId)
}

/** Renders a page under a picker that is in the test's hand: `choose`. */
export const renderUnderPicker = (page: UnderPicker['page'], start: Chosen) =>
  renderPage(<Choosing page={page} start={start} />)
export const choose = (companyId: string | null) => act(() => pick(companyId))

/** To be called by every file of the logins: a founder of the house, its people and a customer's. */
export const serveLoginsPage = () =>
  servePeople(ADA, 'house', { house: [ADA, BELA], holm: [INGRID, FINN, IT] })

const loginsPage = (companyId: Chosen, userId = ADA.id) => (
  <LoginsPage
    company={typeof companyId === 'string' ? { id: companyId } : companyId}
    picker={<p>Firmen</p>}
    self={{ userId, companyId: 'house' }}
  />
)

export const renderLogins = (companyId: string | null = 'holm', userId?: string) =>
  renderPage(loginsPage(companyId, userId))
export const renderLoginsUnderPicker = (start: Chosen) =>
  renderUnderPicker(companyId => loginsPage(companyId), start)

export const field = (name: string) => screen.getByLabelText(name) as HTMLInputElement
export const row = async (name: string) =>
  within((await screen.findByText(name)).closest('li') as HTMLElement)

/** Presses what asks something, and gives the dialog that comes. */
export async function ask(button: string) {
  await userEvent.click(await screen.findByRole('button', { name: button }))
  return within(await screen.findByRole('dialog'))
}
