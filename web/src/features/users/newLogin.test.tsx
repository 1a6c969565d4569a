import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { fill } from '../../../tests/page'
import { ADA, ask, BELA, field, people, pick, renderLogins, serveLoginsPage } from '../../../tests/people'
import { held, refusal, server, url } from '../../../tests/server'

serveLoginsPage()

const open = () => ask('Login anlegen')
const dialog = () => within(screen.getByRole('dialog', { name: 'Login anlegen' }))
const submit = () => userEvent.click(dialog().getByRole('button', { name: 'Login anlegen' }))
const role = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Rolle' })
const created = async () => within(await screen.findByRole('dialog', { name: 'Login für „Greta“ angelegt.' }))
const typed = () => ['Benutzername', 'Passwort', 'Tag-ID'].map(name => field(name).value)

/** The options of the role's list. */
async function roles() {
  await userEvent.click(role())
  const list = within(await screen.findByRole('listbox', { name: 'Rolle' }))
  const offered = (await list.findAllByRole('option')).map(element => element.textContent)
  await userEvent.click(role())
  return offered
}

async function fillIn() {
  await fill(field('Benutzername'), 'Greta')
  await fill(field('Passwort'), 'Hobelbank26')
  await fill(field('Tag-ID'), ' 04 a1:b2 c5 ')
}

const makesGreta = () =>
  server.use(http.post(url('/api/users'), () => HttpResponse.json({ id: 'u-7', username: 'Greta' })))

describe('a new login', () => {
  it('is for a company: without one there is no way to it', async () => {
    const { choose } = renderLogins(null)
    await screen.findByText('Wähle oben eine Firma aus.')
    expect(screen.queryByRole('button', { name: 'Login anlegen' })).toBeNull()
    choose('holm')
    await screen.findByRole('button', { name: 'Login anlegen' })
  })

  it('without anything is not sent anywhere, and says so once at each field', async () => {
    let calls = 0
    server.use(
      http.post(url('/api/users'), () => {
        calls += 1
        return HttpResponse.json({})
      }),
    )
    renderLogins()
    await open()
    await waitFor(() => expect(document.activeElement).toBe(field('Benutzername')))
    await submit()
    const first = 'Bitte Firma wählen und Username/Passwort/Tag-ID ausfüllen.'
    await waitFor(() => expect(screen.getAllByText(first)).toHaveLength(1))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getAllByText('Bitte ausfüllen.')).toHaveLength(2)
    for (const name of ['Benutzername', 'Passwort', 'Tag-ID'])
      expect(field(name).getAttribute('aria-invalid'), name).toBe('true')
    expect(document.activeElement).toBe(field('Benutzername'))
    await userEvent.type(field('Benutzername'), 'Greta')
    await submit()
    await waitFor(() => expect(document.activeElement).toBe(field('Passwort')))
    expect(screen.getAllByText(first)).toHaveLength(1)
    expect(screen.getAllByText('Bitte ausfüllen.')).toHaveLength(1)
    expect(calls).toBe(0)
  })

  it('that is refused keeps what was typed and says why at the field, which has the focus', async () => {
    server.use(
      http.post(url('/api/users'), () =>
        refusal(422, 'Die Tag-ID FOUNDER ist reserviert.', {
          errors: [{ field: 'tagId', message: 'Die Tag-ID FOUNDER ist reserviert.' }],
        }),
      ),
    )
    renderLogins()
    await open()
    await fillIn()
    await submit()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe('Fehler beim Anlegen des Logins.')
    expect(field('Tag-ID').getAttribute('aria-invalid')).toBe('true')
    const described = document.getElementById(field('Tag-ID').getAttribute('aria-describedby') ?? '')
    expect(described?.textContent).toBe('Die Tag-ID FOUNDER ist reserviert.')
    await waitFor(() => expect(document.activeElement).toBe(field('Tag-ID')))
    expect(typed()).toEqual(['Greta', 'Hobelbank26', '04A1B2C5'])
  })

  it('of a system administrator is the service’s to refuse, in its words', async () => {
    const sentence = 'Nur Nutzer mit FOUNDER-Tag dürfen einen System-Admin anlegen.'
    server.use(http.post(url('/api/users'), () => refusal(403, sentence)))
    renderLogins('house')
    await screen.findByText('Bela')
    await open()
    await fillIn()
    await pick('Rolle', 'System-Admin')
    await submit()
    await screen.findByText(sentence)
    expect(typed()).toEqual(['Greta', 'Hobelbank26', '04A1B2C5'])
    expect(role().value).toBe('System-Admin')
  })

  it('sends the tag without blanks and in capitals, and shows the password until it is put away', async () => {
    let sent: unknown
    server.use(
      http.post(url('/api/users'), async ({ request }) => {
        sent = await request.json()
        people.holm?.push({ id: 'u-7', username: 'Greta', role: 'companyAdmin', tagId: '04A1B2C5' })
        return HttpResponse.json({ id: 'u-7', username: 'Greta' }, { status: 201 })
      }),
    )
    renderLogins()
    await open()
    await fillIn()
    await userEvent.tab()
    expect(field('Tag-ID').value).toBe('04A1B2C5')
    await pick('Rolle', 'Firmen-Admin')
    await submit()
    const done = await created()
    expect(sent).toEqual({
      companyId: 'holm',
      username: 'Greta',
      password: 'Hobelbank26',
      tagId: '04A1B2C5',
      role: 'companyAdmin',
    })
    expect(done.getByText('Hobelbank26')).toBeTruthy()
    expect(document.activeElement).toBe(done.getByRole('button', { name: 'Fertig' }))
    const admins = within(screen.getByRole('region', { name: 'Firmen-Admins' }))
    expect(admins.getByText('Greta')).toBeTruthy()
    await userEvent.keyboard('{Escape}')
    expect(done.queryByRole('button', { name: 'Schließen' })).toBeNull()
    expect(done.getByText('Hobelbank26')).toBeTruthy()
    await userEvent.click(done.getByRole('button', { name: 'Fertig' }))
    expect(screen.queryByText('Hobelbank26')).toBeNull()
    expect(screen.queryByRole('dialog')).toBeNull()
    const opener = screen.getByRole('button', { name: 'Login anlegen' })
    await waitFor(() => expect(document.activeElement).toBe(opener))
  })

  it('leads on to another, which begins empty, and is shown with its own password again', async () => {
    makesGreta()
    renderLogins()
    await open()
    for (const time of [1, 2]) {
      await fillIn()
      await submit()
      const done = await created()
      expect(done.getByText('Hobelbank26')).toBeTruthy()
      expect(document.activeElement).toBe(done.getByRole('button', { name: 'Fertig' }))
      await userEvent.click(done.getByRole('button', { name: 'Weiteren anlegen' }))
      expect(screen.queryByText('Hobelbank26'), `${time}`).toBeNull()
      expect(typed()).toEqual(['', '', ''])
      await waitFor(() => expect(document.activeElement).toBe(field('Benutzername')))
    }
    // No unsaved input.
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('says beforehand how long a password has to be', async () => {
    renderLogins()
    expect((await open()).getByText('Mindestens 8 Zeichen.')).toBeTruthy()
  })

  it('gets a password at a press, to be read', async () => {
    renderLogins()
    await userEvent.click((await open()).getByRole('button', { name: 'Erzeugen' }))
    expect(field('Passwort').value).toHaveLength(14)
    expect(field('Passwort').type).toBe('text')
  })

  it('begins with the least role again after one was created', async () => {
    makesGreta()
    renderLogins()
    await open()
    expect(role().value).toBe('Mitarbeiter')
    await pick('Rolle', 'Firmen-Admin')
    await fillIn()
    await submit()
    await userEvent.click((await created()).getByRole('button', { name: 'Weiteren anlegen' }))
    expect(role().value).toBe('Mitarbeiter')
  })

  it.each([
    ['a founder at the operator’s', 'house', ADA, true],
    ['a founder at another company', 'holm', ADA, false],
    ['a plain system administrator', 'house', BELA, false],
  ])('by %s may be a system administrator’s or not', async (_who, companyId, self, offered) => {
    if (!offered) people.house = [ADA, BELA].filter(each => each.id === self.id)
    renderLogins(companyId, self.id)
    await screen.findAllByRole('listitem')
    await open()
    expect(await roles()).toEqual(['Mitarbeiter', 'Firmen-Admin', ...(offered ? ['System-Admin'] : [])])
  })
})

describe('a new login that is not saved', () => {
  const question = () => screen.findByRole('dialog', { name: 'Nicht gespeicherte Änderungen' })
  const press = async (name: string) =>
    userEvent.click(within(await question()).getByRole('button', { name }))

  it.each([
    ['Escape', () => userEvent.keyboard('{Escape}')],
    ['Abbrechen', () => userEvent.click(dialog().getByRole('button', { name: 'Abbrechen' }))],
    ['Schließen', () => userEvent.click(dialog().getByRole('button', { name: 'Schließen' }))],
  ])(
    'is asked about before %s closes it: staying keeps what was typed, leaving drops it',
    async (_way, leave) => {
      renderLogins()
      await open()
      await fillIn()
      await leave()
      await press('Weiter bearbeiten')
      await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
      expect(typed()).toEqual(['Greta', 'Hobelbank26', '04A1B2C5'])
      await leave()
      await press('Verwerfen')
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      await open()
      expect(typed()).toEqual(['', '', ''])
    },
  )

  it('is kept by Escape in the question', async () => {
    renderLogins()
    await open()
    await fillIn()
    await userEvent.keyboard('{Escape}')
    await question()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
    expect(typed()).toEqual(['Greta', 'Hobelbank26', '04A1B2C5'])
  })

  it('is closed without a question where nothing was typed', async () => {
    renderLogins()
    await open()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is not left while it is being made', async () => {
    const { answer, release } = held(() => HttpResponse.json({ id: 'u-7', username: 'Greta' }))
    server.use(http.post(url('/api/users'), answer))
    renderLogins()
    await open()
    await fillIn()
    await submit()
    await userEvent.keyboard('{Escape}')
    expect(dialog().getByRole('button', { name: 'Abbrechen' })).toHaveProperty('disabled', true)
    release()
    await created()
  })

  it('is asked about before another company is looked at; of one, nothing is shown under another', async () => {
    server.use(http.post(url('/api/users'), () => refusal(422, 'Diese Tag-ID ist vergeben.')))
    const { choose, where } = renderLogins('holm')
    await open()
    await fillIn()
    await submit()
    await screen.findByText('Diese Tag-ID ist vergeben.')
    choose('house')
    await press('Weiter bearbeiten')
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
    expect(where()).toBe('/?firma=holm')
    expect(typed()).toEqual(['Greta', 'Hobelbank26', '04A1B2C5'])
    choose('house')
    await press('Verwerfen')
    await screen.findByText('Bela')
    expect(where()).toBe('/?firma=house')
    expect(screen.queryByRole('dialog')).toBeNull()
    await open()
    expect(typed()).toEqual(['', '', ''])
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('has nothing to lose once it is made, but the password stays until it is put away', async () => {
    makesGreta()
    const { choose, where } = renderLogins('holm')
    await open()
    await fillIn()
    await submit()
    const done = await created()
    choose('house')
    expect(where()).toBe('/?firma=holm')
    expect(screen.getAllByRole('dialog')).toHaveLength(1)
    expect(done.getByText('Hobelbank26')).toBeTruthy()
    await userEvent.click(done.getByRole('button', { name: 'Fertig' }))
    choose('house')
    await screen.findByText('Bela')
    expect(screen.queryByText('Hobelbank26')).toBeNull()
  })
})
