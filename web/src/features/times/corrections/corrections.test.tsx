import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { layEvents } from '../../../../tests/events'
import { eventually } from '../../../../tests/eventually'
import { renderPage, success } from '../../../../tests/page'
import { entry, logInAs, MIA, refusal, serve, server, timesAnswer, url } from '../../../../tests/server'
import { holdTimers } from '../../../../tests/timers'
import { reportReached, reportUnreachable } from '../../../api/connectivity'
import { reload } from '../../../api/session'
import { discard } from '../../../offline/outbox'
import { wipe } from '../../../offline/snapshots'
import { unsentOf } from '../../../offline/unsent'
import { OPEN } from '../samples'
import { TimesPage } from '../TimesPage'

const FORGOTTEN = entry('2026-11-19', '07:02', null, { id: 'e-1', flags: ['missing_out'] })
const LONG_ENTRY = entry('2026-11-18', '07:00', '16:00', {
  id: 'e-2',
  workedMinutesRaw: 540,
  workedMinutesNet: 510,
  breakMinutes: 30,
})
let sent: unknown[] = []

function takes() {
  server.use(
    http.post(url('/api/time-corrections'), async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(OPEN, { status: 201 })
    }),
  )
}

serve()
beforeEach(async () => {
  reload()
  logInAs()
  reportReached()
  await wipe()
  await discard()
  sent = []
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T10:10:00Z') })
  layEvents()
  server.use(timesAnswer([FORGOTTEN, LONG_ENTRY]))
})
afterEach(() => {
  reportReached()
})

function Page() {
  const [month, setMonth] = useState('2026-11')
  return <TimesPage userId="u-1" month={month} onMonth={setMonth} />
}

async function openFor(name: string) {
  renderPage(<Page />)
  await userEvent.click(await screen.findByRole('button', { name }))
  return within(await screen.findByRole('dialog', { name: 'Zeitkorrektur beantragen' }))
}

/** Types hours and minutes separately. */
async function typeTime(dialog: ReturnType<typeof within>, label: string, time: string) {
  await userEvent.type(dialog.getByLabelText(`${label}: Stunden`), time.replace(':', ''))
}

async function typeDay(dialog: ReturnType<typeof within>, day: string) {
  const field = dialog.getByRole('textbox', { name: /^Tag/ })
  await userEvent.clear(field)
  await userEvent.type(field, `${day}{Tab}`)
}

/** The values of the two fields. */
function times(dialog: ReturnType<typeof within>): string[] {
  const part = (label: string) => (dialog.getByLabelText(label) as HTMLInputElement).value
  return ['Kommen', 'Gehen'].map(label => `${part(`${label}: Stunden`)}:${part(`${label}: Minuten`)}`)
}

describe('a correction', () => {
  it('of a forgotten Gehen begins with what is known, and says how long that is', async () => {
    takes()
    const closing = holdTimers(1_200)
    const dialog = await openFor('Gehen nachtragen')
    expect((dialog.getByLabelText('Kommen: Stunden') as HTMLInputElement).value).toBe('07')
    await typeTime(dialog, 'Gehen', '16:32')
    expect(dialog.getByText('9h 30m')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Antrag senden' }))
    await screen.findByText('Antrag gesendet. Nach Genehmigung erscheint die geänderte Zeit hier.')
    expect(sent).toEqual([
      { date: '2026-11-19', newStart: '07:02', newEnd: '16:32', reason: null, entryId: 'e-1' },
    ])
    act(() => closing.at(-1)?.())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('of one of a shift begins with the whole shift, and says what other times leave out', async () => {
    takes()
    const part = (id: string, start: string, end: string, minutes: number) =>
      entry('2026-11-18', start, end, { id, workedMinutesRaw: minutes, workedMinutesNet: minutes })
    server.use(timesAnswer([part('e-3', '08:00', '12:00', 240), part('e-4', '12:30', '17:14', 284)]))
    renderPage(<Page />)
    await userEvent.click(
      await screen.findByRole('button', { name: 'Aktionen: Mittwoch, 18. November, 08:00' }),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Korrigieren' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Zeitkorrektur beantragen' }))
    expect(times(dialog)).toEqual(['08:00', '17:14'])
    expect(dialog.queryByText('Fällt weg')).toBeNull()
    await typeTime(dialog, 'Gehen', '12:00')
    expect(dialog.getByText('Fällt weg').parentElement?.textContent).toContain('12:30–17:14')
    expect(dialog.getByText('4 Stunden 44 Minuten')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Antrag senden' }))
    await screen.findByText('Antrag gesendet. Nach Genehmigung erscheint die geänderte Zeit hier.')
    expect(sent).toEqual([
      { date: '2026-11-18', newStart: '08:00', newEnd: '12:00', reason: null, entryId: 'e-3' },
    ])
  })

  it('from the top follows the chosen day, and keeps what was typed', async () => {
    takes()
    const dialog = await openFor('Korrektur beantragen')
    expect(times(dialog)).toEqual([':', ':'])
    await typeDay(dialog, '18.11.2026')
    await waitFor(() => expect(times(dialog)).toEqual(['07:00', '16:00']))
    await typeTime(dialog, 'Gehen', '16:30')
    await typeDay(dialog, '19.11.2026')
    await waitFor(() => expect(times(dialog)).toEqual(['07:02', '16:30']))
    await typeDay(dialog, '18.11.2026')
    await waitFor(() => expect(times(dialog)).toEqual(['07:00', '16:30']))
    await userEvent.click(dialog.getByRole('button', { name: 'Antrag senden' }))
    await screen.findByText('Antrag gesendet. Nach Genehmigung erscheint die geänderte Zeit hier.')
    expect(sent).toEqual([
      { date: '2026-11-18', newStart: '07:00', newEnd: '16:30', reason: null, entryId: 'e-2' },
    ])
  })

  it('of an administrator is theirs, holds at once, and says so', async () => {
    takes()
    logInAs({ ...MIA, role: 'companyAdmin' })
    renderPage(<Page />)
    await userEvent.click(await screen.findByRole('button', { name: 'Zeit korrigieren' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Eigene Zeit korrigieren' }))
    dialog.getByText('Das gilt sofort und steht mit deinem Namen im Änderungsprotokoll.')
    await typeDay(dialog, '18.11.2026')
    await waitFor(() => expect(times(dialog)).toEqual(['07:00', '16:00']))
    await typeTime(dialog, 'Gehen', '16:30')
    await userEvent.click(dialog.getByRole('button', { name: 'Korrektur speichern' }))
    await screen.findByText('Gespeichert. Die geänderte Zeit steht hier.')
    const owner = { userId: MIA.userId }
    expect(sent).toEqual([
      { date: '2026-11-18', newStart: '07:00', newEnd: '16:30', reason: null, ...owner, entryId: 'e-2' },
    ])
  })

  it('needs a day and a time', async () => {
    const dialog = await openFor('Korrektur beantragen')
    await userEvent.click(dialog.getByRole('button', { name: 'Antrag senden' }))
    const sentence = 'Bitte Datum und mindestens eine Zeit (Start oder Ende) ausfüllen.'
    // Once, at the field.
    await waitFor(() => expect(dialog.getAllByText(sentence)).toHaveLength(1))
    expect(dialog.queryByRole('alert')).toBeNull()
    await typeDay(dialog, '01.11.2026')
    await userEvent.click(dialog.getByRole('button', { name: 'Antrag senden' }))
    await waitFor(() => expect(dialog.getAllByText(sentence)).toHaveLength(1))
    expect(dialog.getByLabelText('Tag').getAttribute('aria-invalid')).not.toBe('true')
    expect(sent).toEqual([])
  })

  it('says of a day that there is not that its format is wrong, and asks for nothing', async () => {
    const dialog = await openFor('Korrektur beantragen')
    await typeDay(dialog, '31.02.2026')
    await typeTime(dialog, 'Kommen', '07:00')
    await userEvent.click(dialog.getByRole('button', { name: 'Antrag senden' }))
    await dialog.findByText('Ungültiges Datumsformat. Bitte Tag neu wählen.')
    expect(dialog.getByLabelText('Tag').getAttribute('aria-invalid')).toBe('true')
    expect(sent).toEqual([])
  })

  it('that is open stands below what runs, a line, and only in its own month', async () => {
    const otherCorrection = { ...OPEN, id: 'c-2', date: '2026-10-30' }
    server.use(http.get(url('/api/time-corrections/mine'), () => HttpResponse.json([OPEN, otherCorrection])))
    await openFor('Korrektur beantragen')
    const pending = await screen.findByRole('region', { name: 'Offene Korrekturen', hidden: true })
    expect(within(pending).getAllByRole('listitem', { hidden: true })).toHaveLength(1)
    expect(pending.textContent).toMatch(/^Korrektur .*beantragt am/)
    const running = screen.queryByRole('region', { name: 'Eingestempelt', hidden: true })
    if (running !== null)
      expect(running.compareDocumentPosition(pending) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  })

  it('is refused for a day that has an open one, which is shown and can be withdrawn', async () => {
    let withdrawn = false
    server.use(
      http.get(url('/api/time-corrections/mine'), () => HttpResponse.json(withdrawn ? [] : [OPEN])),
      http.delete(url('/api/time-corrections/c-1'), () => {
        withdrawn = true
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const dialog = await openFor('Korrektur beantragen')
    await typeDay(dialog, '17.11.2026')
    await typeTime(dialog, 'Kommen', '07:00')
    await userEvent.click(dialog.getByRole('button', { name: 'Antrag senden' }))
    await dialog.findByText('Für dieses Datum ist bereits ein offener Korrekturantrag vorhanden.')
    await userEvent.click(dialog.getByRole('button', { name: 'Abbrechen' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Verwerfen' }))
    await userEvent.click(screen.getByRole('button', { name: /Korrektur für Dienstag, 17. November/ }))
    const question = within(await screen.findByRole('dialog', { name: 'Antrag zurückziehen' }))
    await userEvent.click(question.getByRole('button', { name: 'Zurückziehen' }))
    await success('Antrag zurückgezogen.')
    await waitFor(() => expect(screen.queryByText('Korrektur offen')).toBeNull())
  })

  it('that the service refuses stays in the form, with its sentence', async () => {
    server.use(
      http.post(url('/api/time-corrections'), () =>
        refusal(422, 'Die Zeit darf nicht in der Zukunft liegen.', {
          errors: [{ field: 'newEnd', message: 'Die Zeit darf nicht in der Zukunft liegen.' }],
        }),
      ),
    )
    const dialog = await openFor('Gehen nachtragen')
    await typeTime(dialog, 'Gehen', '23:59')
    await userEvent.click(dialog.getByRole('button', { name: 'Antrag senden' }))
    await dialog.findByText('Die Zeit darf nicht in der Zukunft liegen.')
    expect((dialog.getByLabelText('Gehen: Stunden') as HTMLInputElement).value).toBe('23')
    expect(unsentOf('u-1')).toBe(0)
  })

  it('without the service waits on the device, and its day says so', async () => {
    const dialog = await openFor('Gehen nachtragen')
    reportUnreachable()
    await typeTime(dialog, 'Gehen', '16:32')
    await userEvent.click(dialog.getByRole('button', { name: 'Antrag senden' }))
    await dialog.findByText('Gespeichert. Wird gesendet, sobald der Server antwortet.')
    await screen.findByText('Korrektur für Donnerstag, 19. November: 07:02–16:32')
    expect(screen.queryByRole('button', { name: 'Gehen nachtragen' })).toBeNull()
    expect(unsentOf('u-1')).toBe(1)
  })
})

describe('deleting an entry', () => {
  async function ask() {
    renderPage(<Page />)
    await userEvent.click(
      await screen.findByRole('button', { name: 'Aktionen: Mittwoch, 18. November, 07:00' }),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Eintrag löschen' }))
    return within(await screen.findByRole('dialog', { name: 'Zeiteintrag löschen' }))
  }

  it('needs the tick', async () => {
    let deleted = false
    server.use(
      http.delete(url('/api/work-times/e-2'), () => {
        deleted = true
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const dialog = await ask()
    await userEvent.click(dialog.getByRole('button', { name: 'Eintrag löschen' }))
    await dialog.findByText('Bitte bestätige das Löschen mit dem Haken.')
    expect(deleted).toBe(false)
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Eintrag löschen' }))
    await success('Eintrag entfernt.')
    await eventually(() => expect(deleted).toBe(true))
  })

  it('says why it is refused', async () => {
    server.use(
      http.delete(url('/api/work-times/e-2'), () =>
        refusal(403, 'In dieser Firma kann nur die Verwaltung Zeiteinträge löschen.'),
      ),
    )
    const dialog = await ask()
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Eintrag löschen' }))
    await dialog.findByText('In dieser Firma kann nur die Verwaltung Zeiteinträge löschen.')
  })
})

describe('what was deducted', () => {
  it('says by which law', async () => {
    renderPage(<Page />)
    await userEvent.click(await screen.findByRole('button', { name: /Warum/ }))
    await screen.findByText(/§ 4 ArbZG: 30 min Pause/)
  })
})
