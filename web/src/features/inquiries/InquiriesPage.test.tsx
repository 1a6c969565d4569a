import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../../tests/eventually'
import { renderPage } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached, reportUnreachable } from '../../api/connectivity'
import { reload } from '../../api/session'
import { InquiriesPage } from './InquiriesPage'
import type { Inquiry } from './inquiry'
import { INQUIRIES } from './samples'

const LIST = url('/api/inquiries')
let searches: string[] = []

serve()
beforeEach(() => {
  reload()
  logInAs({ ...MIA, role: 'admin', companyId: 'c-0' })
  reportReached()
  searches = []
})

const inquiry = (id: string): Inquiry => ({
  id,
  kind: 'contact',
  createdAt: '2026-11-20T23:10:00.000Z',
  fields: { name: `Person ${id}`, email: 'a@b.example', nachricht: 'Hallo' },
})

/** Answers page by page; every page but the last links to the next. */
function pages(...each: Inquiry[][]) {
  server.use(
    http.get(LIST, ({ request }) => {
      const { search, searchParams } = new URL(request.url)
      searches.push(search)
      const index = Math.max(
        each.findIndex(page => page[0]?.id === searchParams.get('before')),
        0,
      )
      const next = each[index + 1]?.[0]?.id
      const link = `</api/inquiries?before=${next}>; rel="next"`
      return HttpResponse.json(each[index], { headers: next === undefined ? {} : { Link: link } })
    }),
  )
}

const taking = (inquiries: boolean) =>
  server.use(http.get(url('/api/site'), () => HttpResponse.json({ inquiries })))

const open = () => {
  renderPage(<InquiriesPage />)
  return userEvent.setup()
}

const lines = () => [...document.querySelectorAll('summary')].map(line => line.textContent)
const expectCount = (count: number) => eventually(() => expect(lines()).toHaveLength(count))

describe('the list', () => {
  it('that is refused says why, and asks again', async () => {
    let refuse = true
    pages([inquiry('i-1')])
    server.use(http.get(LIST, () => (refuse ? refusal(403, 'Dafür fehlt die Berechtigung.') : undefined)))
    const user = open()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Die Anfragen konnten nicht geladen werden.')
    expect(alert.textContent).toContain('Dafür fehlt die Berechtigung.')
    refuse = false
    await user.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
    await expectCount(1)
  })

  it('is not to be seen without a connection, and nobody says that it is empty', async () => {
    server.use(http.get(LIST, () => HttpResponse.error()))
    reportUnreachable()
    open()
    await screen.findByText('Erst mit Verbindung wieder zu sehen.')
    expect(screen.queryByText('Noch hat niemand etwas geschickt.')).toBeNull()
  })

  it('that is empty says so', async () => {
    pages([])
    taking(true)
    open()
    await screen.findByText('Noch hat niemand etwas geschickt.')
  })

  it('that is empty because nothing is sent says how the forms become real', async () => {
    pages([])
    taking(false)
    open()
    await screen.findByText(/STEMPELWERK_INQUIRY_EMAIL/)
    expect(screen.queryByText('Noch hat niemand etwas geschickt.')).toBeNull()
  })

  it('tells who wants what and when, newest first as it comes', async () => {
    pages([...INQUIRIES])
    open()
    await screen.findByRole('list', { name: 'Anfragen, neueste zuerst' })
    expect(lines()).toEqual([
      'AngebotFreitag, 20. November 2026, 10:42\u00a0UhrPaula Ostermann12\u00a0×\u00a0QuickFix, Branding, Premium-Support10.266\u00a0€',
      expect.stringContaining('NachrichtDonnerstag, 19. November 2026, 17:05\u00a0UhrKarim YıldızGuten Tag,'),
      'AngebotDonnerstag, 12. November 2026, 08:30\u00a0UhrOhne Namen1\u00a0×\u00a0Wandmontage799\u00a0€',
    ])
  })

  it('has every field behind the line, and the way to answer', async () => {
    pages([...INQUIRIES])
    const user = open()
    await user.click(await screen.findByText('Paula Ostermann', { selector: 'summary *' }))
    const details = document.querySelector('details') as HTMLDetailsElement
    expect(details.open).toBe(true)
    const of = (label: string) => within(details).getByText(label).nextElementSibling?.textContent
    expect(of('Logo (Dateiname)')).toBe('logo-2026.svg')
    expect(of('Hosting')).toBe('Cloud')
    expect(of('Nachricht')).toBe('Wir öffnen im März.\nGeht es bis dahin?')
    expect(of('Summe')).toBe('10.266\u00a0€ zzgl.\u00a0MwSt., zuzüglich Cloud-Hosting 15\u00a0€ im Monat')
    const link = within(details).getByRole('link', { name: 'p.ostermann@donau-werk.example schreiben' })
    expect(link.getAttribute('href')).toBe('mailto:p.ostermann@donau-werk.example')
    const [, , last] = document.querySelectorAll('details')
    expect(last?.textContent).toContain('Ohne E-Mail-Adresse: Antworten geht nicht.')
    expect(last?.querySelector('a')).toBeNull()
  })

  it('loads what is older on demand, until there is no more', async () => {
    pages([inquiry('i-9')], [inquiry('i-5')], [inquiry('i-1')])
    const user = open()
    await expectCount(1)
    for (const count of [2, 3]) {
      await user.click(screen.getByRole('button', { name: 'Ältere laden' }))
      await expectCount(count)
    }
    expect(screen.queryByRole('button', { name: 'Ältere laden' })).toBeNull()
    const end = screen.getByText('Ältere Anfragen gibt es nicht.')
    await eventually(() => expect(document.activeElement).toBe(end))
    expect(searches).toEqual(['', '?before=i-5', '?before=i-1'])
  })

  it('keeps what is there when the next page fails', async () => {
    let refuse = false
    pages([inquiry('i-9')], [inquiry('i-5')])
    server.use(http.get(LIST, () => (refuse ? refusal(500, 'Gerade nicht.') : undefined)))
    const user = open()
    await expectCount(1)
    refuse = true
    await user.click(screen.getByRole('button', { name: 'Ältere laden' }))
    await screen.findByText('Ältere Anfragen konnten nicht geladen werden.')
    expect(lines()).toHaveLength(1)
  })
})

describe('deleting', () => {
  const LAST = 'Anfrage von Ohne Namen, Donnerstag, 12. November 2026, 08:30\u00a0Uhr, löschen'

  async function ask() {
    const user = open()
    await expectCount(3)
    for (const line of document.querySelectorAll('summary')) await user.click(line)
    await user.click(screen.getByRole('button', { name: LAST }))
    return { user, dialog: within(await screen.findByRole('dialog', { name: 'Anfrage löschen?' })) }
  }

  it('asks first, and does nothing where somebody thinks better of it', async () => {
    pages([...INQUIRIES])
    const { user, dialog } = await ask()
    await user.click(dialog.getByRole('button', { name: 'Abbrechen' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(lines()).toHaveLength(3)
  })

  it('that is refused says why, and all is there', async () => {
    pages([...INQUIRIES])
    server.use(http.delete(url('/api/inquiries/:id'), () => refusal(403, 'Dafür fehlt die Berechtigung.')))
    const { user, dialog } = await ask()
    await user.click(dialog.getByRole('button', { name: 'Löschen' }))
    await dialog.findByText('Die Anfrage konnte nicht gelöscht werden.')
    expect(lines()).toHaveLength(3)
  })

  it('takes it out of the list, and says so; also one that somebody else has deleted', async () => {
    const deleted: unknown[] = []
    pages([...INQUIRIES])
    server.use(
      http.delete(url('/api/inquiries/:id'), ({ params }) => {
        deleted.push(params.id)
        pages(INQUIRIES.slice(0, 2))
        return refusal(404, 'Nicht gefunden.', { code: 'not_found' })
      }),
    )
    const { user, dialog } = await ask()
    await user.click(dialog.getByRole('button', { name: 'Löschen' }))
    await screen.findByText('Anfrage gelöscht.')
    await expectCount(2)
    expect(deleted).toEqual(['i-1'])
  })
})
