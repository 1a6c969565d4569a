import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { layEvents } from '../../../tests/events'
import { renderPage, wide } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reload } from '../../api/session'
import { RosterPage } from './RosterPage'
import { absence, answers, duty, leave } from './samples'

const CHEF = { ...MIA, userId: 'u-2', role: 'companyAdmin' }
const NO_TIMES = { start: null, end: null }
const SCHEDULE = url('/api/companies/c-1/schedule')
const DAY = '2026-11-23'
const ADDRESS = '/company-dashboard?monat=2026-11'

serve()
beforeEach(() => {
  layEvents()
  reload()
  logInAs(CHEF)
  vi.setSystemTime(new Date('2026-11-20T10:00:00Z'))
})

type Rows = ReturnType<typeof duty>[]
let sent: [string, unknown][]

/** Answers with these rows, and with the sample for everything else. */
function lay(rows: Rows = [], more: Record<string, unknown> = {}) {
  sent = []
  const laid: Record<string, unknown> = {
    ...answers,
    'GET /api/companies/c-1/schedule': rows,
    'GET /api/companies/c-1/features': [{ id: 'f-1', key: 'schedule' }],
    ...more,
  }
  server.use(
    http.get(url('/api/companies/c-1/*'), ({ request }) => {
      const body = laid[`GET ${new URL(request.url).pathname}`]
      return body instanceof Response ? body.clone() : HttpResponse.json(body as object)
    }),
    http.post(`${SCHEDULE}/bulk`, async ({ request }) => {
      sent.push(['bulk', await request.json()])
      return HttpResponse.json({ added: 2, removed: 0, warnings: [] })
    }),
    http.post(SCHEDULE, async ({ request }) => {
      sent.push(['add', await request.json()])
      return HttpResponse.json({}, { status: 201 })
    }),
    http.delete(`${SCHEDULE}/:id`, ({ params }) => {
      sent.push(['remove', params.id])
      return new HttpResponse(null, { status: 204 })
    }),
  )
}

const open = (more = '') => {
  wide()
  return renderPage(<RosterPage session={CHEF} />, ADDRESS + more)
}
async function openDay() {
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Montag, 23. November 2026 bearbeiten' }))
  return screen.findByRole('dialog')
}
const assign = (dialog: HTMLElement) =>
  userEvent.click(within(dialog).getByRole('button', { name: 'Einteilen' }))
const choose = (dialog: HTMLElement, name: string) =>
  userEvent.click(within(dialog).getByRole('checkbox', { name }))

describe('Dienstplan verwalten', () => {
  it('that is refused says so, and is asked for again', async () => {
    lay([], { 'GET /api/companies/c-1/schedule': refusal(500, 'Die Datenbank antwortet nicht.') })
    open()
    await screen.findByText('Die Datenbank antwortet nicht.')
    lay([duty('u-1', DAY, NO_TIMES)])
    await userEvent.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
    await screen.findByRole('button', { name: /^Mia Sommer$/ })
  })

  it('stands without what another module has, and says what of the plan’s own is missing', async () => {
    lay([], { 'GET /api/companies/c-1/schedule/warnings': refusal(500, 'Gerade nicht.') })
    open()
    await screen.findByText('Hinweise zum Plan konnten nicht geladen werden.')
    expect(screen.queryByText('Abwesenheiten konnten nicht geladen werden.')).toBeNull()
  })

  it('begins on a phone with today; what is over of the month is folded away', async () => {
    lay()
    renderPage(<RosterPage session={CHEF} />, ADDRESS)
    const list = await screen.findByRole('list', { name: 'Dienste im November 2026' })
    expect(within(list).getAllByRole('button')[0]?.textContent).toContain('Fr 20.11.')
    const over = screen.getByRole('list', { name: '19 frühere Tage', hidden: true })
    expect(over.closest('details')?.open).toBe(false)
    expect(over.childElementCount).toBe(19)
  })

  it.each([true, false])(
    'leads to the people of a company that has nobody to assign, if it has the page (%s)',
    async has => {
      lay([], {
        'GET /api/companies/c-1/users': [{ id: 'u-2', username: 'Chef', role: 'companyAdmin' }],
        'GET /api/companies/c-1/features': [{ id: 'f-1', key: has ? 'manage_employees' : 'schedule' }],
      })
      open()
      await screen.findByText(/^Es gibt noch niemanden mit der Rolle „user“/)
      if (has) await screen.findByRole('link', { name: 'Zu den Mitarbeitern' })
      else expect(screen.queryByRole('link')).toBeNull()
    },
  )
})

describe('the dialog of a day', () => {
  it('asks for somebody first', async () => {
    lay()
    const dialog = await openDay()
    await assign(dialog)
    await within(dialog).findByText('Bitte Mitarbeiter auswählen.')
    expect(sent).toEqual([])
  })

  it('hides administrators, who is assigned and who is on leave for the whole day', async () => {
    lay([duty('u-1', DAY, NO_TIMES)], {
      'GET /api/companies/c-1/vacation-requests': [leave('u-11', DAY, DAY)],
    })
    const dialog = within(await openDay())
    const has = (name: string) => dialog.queryByRole('checkbox', { name }) !== null
    expect(['Chef', 'Mia Sommer', 'Svenja Albers', 'Ben Kurz'].map(has)).toEqual([false, false, false, true])
    expect(dialog.queryByText(/ab 11 Uhr/)).toBeNull()
  })

  it('says which half of the day somebody has off, and which duties are possible', async () => {
    lay()
    const dialog = within(await openDay())
    expect(await dialog.findByRole('checkbox', { name: 'Svenja Albers, Urlaub ab Mittag' })).toBeTruthy()
    dialog.getByText(/wer nachmittags frei hat, bis 14 Uhr/)
  })

  it('hides who is on leave and ill besides', async () => {
    lay([], {
      'GET /api/companies/c-1/features': ['schedule', 'absences'].map(key => ({ id: key, key })),
      'GET /api/companies/c-1/vacation-requests': [leave('u-11', DAY, DAY)],
      'GET /api/companies/c-1/absences': [absence('u-11', DAY), absence('u-12', DAY)],
    })
    const dialog = within(await openDay())
    await waitFor(() => expect(dialog.queryByRole('checkbox', { name: 'Svenja Albers' })).toBeNull())
    expect(dialog.getByRole('checkbox', { name: 'Ben Kurz' })).toBeTruthy()
  })

  it('names who had a duty and is no employee any more', async () => {
    lay([duty('u-2', DAY, NO_TIMES, { username: 'Chef' })])
    const dialog = within(await openDay())
    expect(await dialog.findByRole('button', { name: 'Dienst von Chef entfernen' })).toBeTruthy()
    expect(dialog.queryByText('Niemand eingeteilt')).toBeNull()
  })

  it.each([
    [422, 'Nur Mitarbeitende mit Rolle „user“ können zugewiesen werden.'],
    [409, 'Mitarbeiter ist an dem Tag bereits eingeteilt.'],
    [409, 'Mitarbeiter ist an diesem Tag nicht verfügbar.'],
  ])('says the refusal %s %s', async (status, sentence) => {
    lay()
    server.use(http.post(SCHEDULE, () => refusal(status, sentence)))
    const dialog = await openDay()
    await choose(dialog, 'Ben Kurz')
    await assign(dialog)
    expect((await within(dialog).findByRole('alert')).textContent).toContain(sentence)
  })

  it('names whom of several it was refused for', async () => {
    lay()
    const errors = [{ field: 'add.1', message: 'Mitarbeiter ist an diesem Tag nicht verfügbar.' }]
    server.use(http.post(`${SCHEDULE}/bulk`, () => refusal(409, errors[0]?.message, { errors })))
    const dialog = await openDay()
    await choose(dialog, 'Ben Kurz')
    await choose(dialog, 'Emil Haas')
    await assign(dialog)
    expect((await within(dialog).findByRole('alert')).textContent).toContain('Emil Haas: Mitarbeiter ist an')
  })

  it('assigns one by the documented call and several at once, and takes one away by its id', async () => {
    lay([duty('u-1', DAY, NO_TIMES)])
    const dialog = await openDay()
    await choose(dialog, 'Ben Kurz')
    await assign(dialog)
    await within(dialog).findByText('1 Person eingeteilt.')
    await choose(dialog, 'Ben Kurz')
    await choose(dialog, 'Emil Haas')
    await assign(dialog)
    await waitFor(() => expect(sent).toHaveLength(2))
    await userEvent.click(
      await within(dialog).findByRole('button', { name: 'Dienst von Mia Sommer entfernen' }),
    )
    await waitFor(() => expect(sent).toHaveLength(3))
    expect(sent).toEqual([
      ['add', { date: DAY, userId: 'u-12' }],
      [
        'bulk',
        {
          add: [
            { date: DAY, userId: 'u-12' },
            { date: DAY, userId: 'u-8' },
          ],
          remove: [],
        },
      ],
      ['remove', `d-u-1-${DAY}`],
    ])
    await within(dialog).findByText('Eintrag entfernt.')
  })
})

describe('the warnings of a change', () => {
  const ALL_CODES = ['over_10_h', 'youth', 'maternity', 'into_leave'] as const

  it('are said by day and person after a single duty, also of days that are not shown, until they are hidden', async () => {
    lay()
    const warnings = ALL_CODES.map(code => ({ code, userId: 'u-8', date: '2027-02-01' }))
    server.use(http.post(SCHEDULE, () => HttpResponse.json({ warnings }, { status: 201 })))
    open('&ansicht=plan')
    await screen.findByRole('grid')
    const cell = document.querySelector('[data-cell="u-8 2026-11-24"]') as HTMLElement
    cell.focus()
    await userEvent.keyboard('{Enter}')
    const title = await screen.findByText('Die Änderung ist eingetragen. Dazu gibt es 4 Hinweise:')
    const lines = within(title.closest('[role="status"]') as HTMLElement).getAllByRole('listitem')
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      'Mo 01.02. Emil Haas arbeitet in einer Schicht mehr als 10 Stunden (Pausen abgezogen)',
      'Mo 01.02. Emil Haas ist jugendlich: Der Dienst ist dafür zu lang oder liegt nachts (JArbSchG §§ 8, 14)',
      'Mo 01.02. Emil Haas ist im Mutterschutz: Der Dienst ist dafür zu lang oder liegt nachts (MuSchG §§ 4, 5)',
      'Mo 01.02. Emil Haas arbeitet bis in den nächsten Tag, an dem Urlaub, Wunschfrei, Krankheit oder eine andere Abwesenheit eingetragen ist',
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Ausblenden' }))
    expect(screen.queryByText(/Dazu gibt es/)).toBeNull()
  })

  it('are said after several duties, the first ten one by one, and go with the next change', async () => {
    lay()
    const warnings = Array.from({ length: 12 }, (_, index) => ({
      code: 'over_10_h',
      userId: 'u-8',
      date: `2026-12-${index + 10}`,
    }))
    server.use(http.post(`${SCHEDULE}/bulk`, () => HttpResponse.json({ added: 2, removed: 0, warnings })))
    const dialog = await openDay()
    await choose(dialog, 'Ben Kurz')
    await choose(dialog, 'Emil Haas')
    await assign(dialog)
    const title = await screen.findByText('Die Änderung ist eingetragen. Dazu gibt es 12 Hinweise:')
    const notice = within(title.closest('[role="status"]') as HTMLElement)
    expect(notice.getAllByRole('listitem', { hidden: true })).toHaveLength(5)
    notice.getByText('und 7 weitere')
    await within(dialog).findByText('2 Personen eingeteilt.')
    await choose(dialog, 'Ben Kurz')
    await assign(dialog)
    await waitFor(() => expect(screen.queryByText(/Dazu gibt es/)).toBeNull())
  })
})

describe('the plan of people by days', () => {
  it('names leave, hints and what is not published in each cell, and counts who is on duty', async () => {
    lay([duty('u-8', '2026-11-24', { start: '06:00', end: '14:00' }, { published: false })])
    open('&ansicht=plan')
    const grid = await screen.findByRole('grid')
    within(within(grid).getByRole('row', { name: /^Emil Haas/ })).getByRole('cell', {
      name: 'Dienst 06:00–14:00, nicht veröffentlicht, hat zu wenig Ruhezeit vor dem Dienst',
    })
    within(within(grid).getByRole('row', { name: /^Svenja Albers/ })).getByRole('cell', {
      name: 'Urlaub ab Mittag',
    })
    expect(within(grid).getByRole('row', { name: /^Im Dienst/ }).textContent).toMatch(/0100/)
    within(grid).getByRole('columnheader', { name: /Buß- und Bettag/ })
  })

  it('puts back what was refused, says so at its cell, and has nothing to take back', async () => {
    lay()
    server.use(http.post(SCHEDULE, () => refusal(409, 'Mitarbeiter ist an diesem Tag nicht verfügbar.')))
    open('&ansicht=plan')
    await screen.findByRole('grid')
    const cell = document.querySelector('[data-cell="u-11 2026-11-24"]') as HTMLElement
    cell.focus()
    await userEvent.keyboard('{Enter}')
    expect((await within(cell).findByRole('alert')).textContent).toContain('nicht verfügbar')
    expect(cell.title).not.toContain('Dienst')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Rückgängig' }).disabled).toBe(true)
  })

  it('is published with the change that is still on its way', async () => {
    lay()
    const requests: string[] = []
    let arrive = () => {}
    const arrival = new Promise<void>(resolve => {
      arrive = resolve
    })
    server.use(
      http.post(SCHEDULE, async () => {
        requests.push('change')
        await arrival
        requests.push('changed')
        return HttpResponse.json({}, { status: 201 })
      }),
      http.post(`${SCHEDULE}/publish`, () => {
        requests.push('publish')
        return HttpResponse.json({ told: 1 })
      }),
    )
    open('&ansicht=plan')
    await screen.findByRole('grid')
    const cell = document.querySelector('[data-cell="u-11 2026-11-24"]') as HTMLElement
    cell.focus()
    await userEvent.keyboard('{Enter}')
    await userEvent.click(await screen.findByRole('button', { name: /Änderungen? veröffentlichen$/ }))
    const publish = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Veröffentlichen' })
    await userEvent.click(publish)
    await waitFor(() => expect(publish.getAttribute('aria-busy')).toBe('true'))
    expect(requests).toEqual(['change'])
    arrive()
    await waitFor(() => expect(requests).toEqual(['change', 'changed', 'publish']))
  })
})

describe('the times of a duty', () => {
  const EARLY = { start: '06:00', end: '14:00' }
  const CELL = 'u-8 2026-11-24'
  const cellAt = (at: string) => document.querySelector(`[data-cell="${at}"]`) as HTMLElement
  async function change(start: string, answer?: () => Response) {
    lay([duty('u-8', '2026-11-24', EARLY)])
    if (answer !== undefined) server.use(http.post(`${SCHEDULE}/bulk`, answer))
    open('&ansicht=plan')
    await screen.findByRole('grid')
    cellAt(CELL).focus()
    await userEvent.keyboard('z')
    const dialog = await screen.findByRole('dialog')
    const type = async (part: string, keys: string) => {
      within(dialog).getByLabelText(`Beginn: ${part}`).focus()
      await userEvent.keyboard(keys)
    }
    await type('Stunden', start || '{Backspace}')
    if (start === '') await type('Minuten', '{Backspace}')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Zeiten speichern' }))
    return dialog
  }

  it('need a begin where there is an end', async () => {
    const dialog = await change('')
    await within(dialog).findByText('Zu einer Endzeit gehört auch eine Startzeit.')
    expect(sent).toEqual([])
  })

  it('stay as they were where they are refused, and the dialog says why', async () => {
    const dialog = await change('07', () => refusal(409, 'Mitarbeiter ist nicht verfügbar.'))
    expect((await within(dialog).findByRole('alert')).textContent).toContain('nicht verfügbar')
    expect(cellAt(CELL).title).toContain('06:00–14:00')
  })

  it('are changed in one step, which can be taken back', async () => {
    await change('07')
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toEqual([
      'bulk',
      {
        add: [{ date: '2026-11-24', userId: 'u-8', start: '07:00', end: '14:00' }],
        remove: ['d-u-8-2026-11-24'],
      },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Rückgängig' }).disabled).toBe(false)
  })

  it('of nobody are not asked for, and unchanged ones are not sent', async () => {
    await change('06')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    cellAt('u-8 2026-11-25').focus()
    await userEvent.keyboard('z')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(sent).toEqual([])
  })
})

describe('who plans around others', () => {
  it('sees people by department, and can look at one alone', async () => {
    lay([duty('u-1', DAY, NO_TIMES), duty('u-15', DAY, NO_TIMES)])
    open('&ansicht=plan')
    const grid = await screen.findByRole('grid')
    const heads = () =>
      within(grid)
        .getAllByRole('rowheader')
        .map(element => element.textContent)
    expect(heads().filter(head => /Verkauf|Werkstatt|Ohne/.test(head ?? ''))).toEqual([
      'Verkauf',
      'Werkstatt',
      'Ohne Abteilung',
    ])
    await userEvent.click(screen.getByRole('combobox', { name: 'Abteilung' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Ohne Abteilung' }))
    expect(heads()).toEqual(['Ohne Abteilung', 'Ida Brandt', 'Im Dienst'])
    expect(within(grid).getByRole('row', { name: /^Im Dienst/ }).textContent).toContain('1')
  })

  it('sees leave that is still asked for, and may plan there', async () => {
    lay()
    open('&ansicht=plan')
    const grid = await screen.findByRole('grid')
    const row = within(grid).getByRole('row', { name: /^Ben Kurz/ })
    expect(within(row).getAllByRole('cell', { name: /^Urlaub, beantragt/ })).toHaveLength(3)
    const cell = document.querySelector('[data-cell="u-12 2026-11-28"]') as HTMLElement
    expect(cell.dataset.asked).toBe('true')
    cell.focus()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(sent).toEqual([['add', { date: '2026-11-28', userId: 'u-12' }]]))
  })

  it('sees company holidays in the head, beside a holiday of the same day', async () => {
    lay([], {
      'GET /api/companies/c-1/closures': [
        { id: 'k', startDate: '2026-10-30', endDate: '2026-11-02', name: 'Umbau' },
        { id: 'l', startDate: '2026-11-18', endDate: '2026-11-18', name: 'Inventur' },
      ],
    })
    open('&ansicht=plan')
    const grid = await screen.findByRole('grid')
    await waitFor(() => expect(within(grid).getAllByRole('columnheader', { name: /Umbau/ })).toHaveLength(2))
    within(grid).getByRole('columnheader', { name: /Buß- und Bettag, Inventur|Inventur, Buß- und Bettag/ })
  })
})
