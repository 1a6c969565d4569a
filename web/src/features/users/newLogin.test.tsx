import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import {
  ADA,
  BELA,
  choose,
  field,
  people,
  renderLogins,
  renderLoginsUnderPicker,
  serveLoginsPage,
} from '../../../tests/people'
import { refusal, server, url } from '../../../tests/server'

serveLoginsPage()

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Login anlegen' }))
const roles = () =>
  within(screen.getByLabelText('Rolle'))
    .getAllByRole('option')
    .map(each => each.textContent)

async function fill() {
  await userEvent.type(field('Benutzername'), 'Greta')
  await userEvent.type(field('Passwort'), 'Hobelbank26')
  await userEvent.type(field('Tag-ID'), ' 04 a1:b2 c5 ')
}

describe('a new login', () => {
  it.each([
    ['without a company', null, true],
    ['without anything', 'holm', false],
  ])('%s is not sent anywhere', async (_what, companyId, filled) => {
    let calls = 0
    server.use(
      http.post(url('/api/users'), () => {
        calls += 1
        return HttpResponse.json({})
      }),
    )
    renderLogins(companyId)
    if (filled) await fill()
    await submit()
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Bitte Firma wählen und Username/Passwort/Tag-ID ausfüllen.',
    )
    if (!filled) expect(document.activeElement).toBe(field('Benutzername'))
    expect(calls).toBe(0)
  })

  it('that is refused keeps what was typed and says why', async () => {
    server.use(
      http.post(url('/api/users'), () =>
        refusal(422, 'Die Tag-ID FOUNDER ist reserviert.', {
          errors: [{ field: 'tagId', message: 'Die Tag-ID FOUNDER ist reserviert.' }],
        }),
      ),
    )
    renderLogins()
    await fill()
    await submit()
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('Fehler beim Anlegen des Logins.')).toBeTruthy()
    expect(within(alert).getByText('Die Tag-ID FOUNDER ist reserviert.')).toBeTruthy()
    expect(field('Tag-ID').getAttribute('aria-invalid')).toBe('true')
    expect(field('Passwort').value).toBe('Hobelbank26')
  })

  it('of a system administrator is the service’s to refuse, in its words', async () => {
    const sentence = 'Nur Nutzer mit FOUNDER-Tag dürfen einen System-Admin anlegen.'
    server.use(http.post(url('/api/users'), () => refusal(403, sentence)))
    renderLogins('house')
    await waitFor(() => expect(roles()).toContain('System-Admin'))
    await fill()
    await userEvent.selectOptions(screen.getByLabelText('Rolle'), 'admin')
    await submit()
    await screen.findByText(sentence)
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
    await fill()
    await userEvent.tab()
    expect(field('Tag-ID').value).toBe('04A1B2C5')
    await userEvent.selectOptions(screen.getByLabelText('Rolle'), 'Firmen-Admin')
    await submit()
    const done = within(await screen.findByRole('region', { name: 'Login für „Greta“ angelegt.' }))
    expect(sent).toEqual({
      companyId: 'holm',
      username: 'Greta',
      password: 'Hobelbank26',
      tagId: '04A1B2C5',
      role: 'companyAdmin',
    })
    expect(done.getByText('Hobelbank26')).toBeTruthy()
    expect(field('Benutzername').value).toBe('')
    const admins = within(screen.getByRole('region', { name: 'Firmen-Admins' }))
    expect(admins.getByText('Greta')).toBeTruthy()
    await userEvent.click(done.getByRole('button', { name: 'Schließen' }))
    expect(screen.queryByText('Hobelbank26')).toBeNull()
    expect(document.activeElement).toBe(field('Benutzername'))
  })

  it('is brought into view with its password, each time anew', async () => {
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView')
    let count = 0
    server.use(
      http.post(url('/api/users'), () => {
        count += 1
        return HttpResponse.json({ id: `u-7${count}`, username: 'Greta' })
      }),
    )
    renderLogins()
    for (const time of [1, 2]) {
      await fill()
      await submit()
      await waitFor(() => expect(shown).toHaveBeenCalledTimes(time))
      expect(shown.mock.contexts.at(-1)).toBe(screen.getByRole('region', { name: /Greta.* angelegt/ }))
      expect(document.activeElement).toBe(field('Benutzername'))
    }
  })

  it('says beforehand how long a password has to be', () => {
    renderLogins()
    expect(screen.getByRole('form', { name: 'Login anlegen' }).textContent).toContain('Mindestens 8 Zeichen.')
  })

  it('keeps what was typed when the company is chosen as told, and the notice goes', async () => {
    renderLoginsUnderPicker(null)
    await fill()
    await submit()
    await screen.findByText('Bitte Firma wählen und Username/Passwort/Tag-ID ausfüllen.')
    choose('holm')
    await screen.findByText('Ingrid')
    expect(['Benutzername', 'Passwort', 'Tag-ID'].map(name => field(name).value)).toEqual([
      'Greta',
      'Hobelbank26',
      '04A1B2C5',
    ])
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('of one company is not shown under another: neither what was made nor what was refused', async () => {
    server.use(
      http.post(url('/api/users'), () => HttpResponse.json({ id: 'u-7', username: 'Greta' }), { once: true }),
      http.post(url('/api/users'), () => refusal(422, 'Diese Tag-ID ist vergeben.')),
    )
    renderLoginsUnderPicker('holm')
    await fill()
    await submit()
    await screen.findByText('Hobelbank26')
    await fill()
    await submit()
    await screen.findByText('Diese Tag-ID ist vergeben.')
    choose('house')
    expect(screen.queryByText('Hobelbank26')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(field('Benutzername').value).toBe('Greta')
  })

  it('begins with the least role again after one was created, and where a role is not to be had', async () => {
    server.use(http.post(url('/api/users'), () => HttpResponse.json({ id: 'u-7', username: 'Greta' })))
    renderLoginsUnderPicker('house')
    await waitFor(() => expect(roles()).toContain('System-Admin'))
    await userEvent.selectOptions(screen.getByLabelText('Rolle'), 'Firmen-Admin')
    await fill()
    await submit()
    await screen.findByText('Hobelbank26')
    expect(field('Rolle').value).toBe('user')
    await userEvent.selectOptions(screen.getByLabelText('Rolle'), 'System-Admin')
    choose('holm')
    expect(field('Rolle').value).toBe('user')
  })

  it('gets a password at a press, to be read', async () => {
    renderLogins()
    await userEvent.click(screen.getByRole('button', { name: 'Erzeugen' }))
    expect(field('Passwort').value).toHaveLength(14)
    expect(field('Passwort').type).toBe('text')
  })

  it.each([
    ['a founder at the operator’s', 'house', ADA, true],
    ['a founder at another company', 'holm', ADA, false],
    ['a plain system administrator', 'house', BELA, false],
  ])('by %s may be a system administrator’s or not', async (_who, companyId, self, offered) => {
    if (!offered) people.house = [ADA, BELA].filter(each => each.id === self.id)
    renderLogins(companyId, self.id)
    await screen.findAllByRole('listitem')
    await waitFor(() => expect(roles().includes('System-Admin')).toBe(offered))
  })
})
