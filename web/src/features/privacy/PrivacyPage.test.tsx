import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { renderPage, success } from '../../../tests/page'
import { logInAs, MIA, never, refusal, serve, server, url } from '../../../tests/server'
import { reload } from '../../api/session'
import periods from '../../app/public/legal/periods.json'
import { NOTICE, SECTIONS } from './noticeTexts'
import { PrivacyPage } from './PrivacyPage'
import { CONSENT } from './samples'

const CHEF = { ...MIA, role: 'companyAdmin' }
const OPEN = { ...CONSENT, accepted: false, acceptedAt: null, acceptedBy: null }
const PATH = url('/api/companies/c-1/privacy-consent')

serve()
beforeEach(() => {
  reload()
  logInAs(CHEF)
})

let sent: unknown[]
function answers(
  get: () => Response | Promise<Response>,
  put: () => Response | Promise<Response> = () => HttpResponse.json(CONSENT),
) {
  sent = []
  server.use(
    http.get(PATH, get),
    http.put(PATH, async ({ request }) => {
      sent.push(await request.json())
      return put()
    }),
  )
}
const open = () => renderPage(<PrivacyPage session={CHEF} />, '/company-dashboard?tab=privacy')
const button = async (name: string) => (await screen.findByRole('button', { name })) as HTMLButtonElement

describe('Datenschutz zustimmen', () => {
  it('says that it does not know whether anybody has agreed, and still shows the notice', async () => {
    answers(() => refusal(403, 'Dieses Modul ist nicht freigeschaltet.'))
    open()
    await screen.findByText('Zustimmungsstatus konnte nicht geladen werden.')
    expect(screen.getByRole('heading', { name: '1. Verantwortlicher' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Ich stimme zu' })).toBeNull()
  })

  it('offers nothing to agree to before it knows', () => {
    answers(never)
    open()
    expect(screen.queryByRole('button', { name: 'Ich stimme zu' })).toBeNull()
  })

  it('says with the service’s reason that agreeing was not kept', async () => {
    answers(
      () => HttpResponse.json(OPEN),
      () => refusal(422, 'Es gilt die Fassung v1.1. Bitte lade die Seite neu.'),
    )
    open()
    await userEvent.click(await button('Ich stimme zu'))
    await screen.findByText('Zustimmung konnte nicht gespeichert werden.')
    expect(screen.getByText('Es gilt die Fassung v1.1. Bitte lade die Seite neu.')).toBeTruthy()
    expect((await button('Ich stimme zu')).disabled).toBe(false)
  })

  it('keeps an agreement, and then there is nothing more to press', async () => {
    let agreed = false
    answers(
      () => HttpResponse.json(agreed ? CONSENT : OPEN),
      () => {
        agreed = true
        return HttpResponse.json(CONSENT)
      },
    )
    open()
    await userEvent.click(await button('Ich stimme zu'))
    await success('Vielen Dank! Deine Zustimmung wurde gespeichert.')
    await waitFor(async () => expect((await button('Bereits zugestimmt')).disabled).toBe(true))
    expect(sent).toEqual([{ accepted: true, version: 'v1.0', acceptedAt: expect.any(String) }])
  })

  it('says since when, and who agreed', async () => {
    answers(() => HttpResponse.json(CONSENT))
    open()
    const consent = within(await screen.findByRole('region', { name: 'Zustimmung' }))
    expect(consent.getByText('Ingrid Holm')).toBeTruthy()
    expect(consent.getByText('8. August 2025')).toBeTruthy()
    expect(consent.getByText('Zugestimmt am').nextSibling?.textContent).toBe('2. November 2026, 09:14 Uhr')
  })

  it('is version v1.0 of 8 August 2025, in 13 numbered sections, by a GbR', async () => {
    answers(() => HttpResponse.json(CONSENT))
    open()
    expect(NOTICE).toEqual({ version: 'v1.0', day: '2025-08-08' })
    await button('Bereits zugestimmt')
    const heads = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
    expect(heads.map(head => Number.parseInt(head ?? '', 10))).toEqual(
      Array.from({ length: 13 }, (_, index) => index + 1),
    )
    expect(SECTIONS[0]?.paragraphs[0]).toContain('GbR')
  })

  it('promises no other periods than the privacy statement', () => {
    const retentionText = SECTIONS.find(({ title }) => title === 'Speicherdauer')?.paragraphs.join(' ') ?? ''
    expect(retentionText).toContain(`mindestens ${periods.times.years} Jahre`)
    expect(retentionText).toContain(`${periods.sickNotes.months} Monate`)
    expect(retentionText).toContain(`Anträge bleiben ${periods.messages.years} Jahre`)
    expect(retentionText).toContain(`${periods.deviceLogs.days} Tage`)
    expect(retentionText).toContain(`Sitzungen ${periods.session.hours} Stunden`)
  })

  it('gives the company’s two papers', async () => {
    answers(() => HttpResponse.json(CONSENT))
    open()
    expect(await button('Verfahrensdokumentation')).toBeTruthy()
    expect(await button('Auftragsverarbeitung')).toBeTruthy()
  })
})
