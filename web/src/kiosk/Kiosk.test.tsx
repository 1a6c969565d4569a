import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ANSWER, answering, IDLE, OTHERWISE, SCANNER } from '../../e2e/support/views'
import { FAILED_MS } from './IdleScreen'
import { Kiosk } from './Kiosk'
import type { Answer, Limits, Scanner, View } from './view'

const show = (view: View | null, lost = false, silent = false) =>
  render(<Kiosk view={view} ahead={0} lost={lost} silent={silent} />)
const answer = (members: Partial<Answer>) => show(answering(members))
const text = () => document.body.textContent ?? ''
/** The hint below an answer. */
const foot = () => screen.getByRole('contentinfo').textContent
/** Announcements for assistive technology. */
const statusText = () => document.querySelector('[role=status]')?.textContent ?? ''

const posts: { path: string; body: unknown }[] = []
let status = 204

beforeEach(() => {
  posts.length = 0
  status = 204
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    posts.push({ path, body: JSON.parse(String(init.body)) })
    return new Response(null, { status })
  })
})

describe('at rest', () => {
  it('the clock shows time, day, company and how to stamp, and ticks by the agent’s time', () => {
    vi.useFakeTimers({ now: new Date('2026-11-20T06:57:59.000Z') })
    render(<Kiosk view={IDLE} ahead={500} lost={false} silent={false} />)
    for (const part of [
      '07:57',
      'Freitag, 20. November',
      'Tischlerei Holm',
      'Werkstatt',
      'verbunden',
      'Chip anhalten',
    ]) {
      expect(text()).toContain(part)
    }
    act(() => vi.advanceTimersByTime(600))
    expect(text()).toContain('07:58')
  })

  it.each<[string, Partial<View>, string[]]>([
    ['offline', { connection: 'offline' }, ['offline']],
    [
      'offline with stamps',
      { connection: 'offline', queued: 3 },
      ['offline · 3 gespeichert · wird gesendet'],
    ],
    ['online with stamps', { queued: 2 }, ['2 gespeichert · wird gesendet']],
    ['not connected', { connection: 'not_connected' }, ['nicht verbunden']],
    [
      'not connected with stamps',
      { connection: 'not_connected', queued: 3 },
      ['nicht verbunden · 3 gespeichert'],
    ],
    ['a version on trial', { update: { state: 'trying', version: '1.6.0' } }, ['Version 1.6.0 wird erprobt']],
    ['an untrusted time', { timeTrusted: false }, ['Uhrzeit unsicher']],
    [
      'a reader that does not answer',
      { reader: 'fault' },
      ['Der Leser antwortet nicht', 'Bitte sag Bescheid'],
    ],
    ['no reader', { reader: 'absent' }, ['Kein Leser angeschlossen']],
    ['a full disk', { storage: 'failed' }, ['Die Uhr kann nicht speichern', 'Stempel zählen gerade nicht']],
    ['a phone held to it', { notice: 'unreadable_tag' }, ['Dieser Chip lässt sich nicht lesen', 'Handys']],
  ])('%s is said in words', (_what, members, parts) => {
    show({ ...IDLE, ...members })
    for (const part of parts) expect(text()).toContain(part)
  })

  it.each<Partial<View>>([{ reader: 'fault' }, { reader: 'absent' }, { storage: 'failed' }])(
    'a clock that cannot stamp does not invite to: %j',
    members => {
      show({ ...IDLE, ...members })
      expect(screen.queryByRole('button', { name: 'Kommen' })).toBeNull()
      expect(text()).not.toContain('Chip anhalten')
    },
  )

  it('a full disk is worse than a dead reader, and that than a phone', () => {
    show({ ...IDLE, storage: 'failed', reader: 'fault', notice: 'unreadable_tag' })
    expect(screen.getAllByRole('alert')).toHaveLength(1)
    expect(text()).toContain('Die Uhr kann nicht speichern')
  })
})

describe('choosing before the tap', () => {
  it.each([
    ['Kommen', 'in'],
    ['Gehen', 'out'],
  ])('%s is told to the agent', async (name, direction) => {
    show(IDLE)
    fireEvent.click(screen.getByRole('button', { name }))
    await waitFor(() => expect(posts).toEqual([{ path: '/choice', body: { direction, after: 'a-0' } }]))
  })

  it('asks for the tag, and can be taken back', async () => {
    show({ ...IDLE, chosen: 'out' })
    expect(text()).toContain('Gehen: jetzt Chip anhalten')
    fireEvent.click(screen.getByRole('button', { name: 'Abbrechen' }))
    await waitFor(() => expect(posts).toEqual([{ path: '/choice', body: { direction: null, after: 'a-0' } }]))
  })

  it('that came too late for its moment is said on whatever screen is there by then', () => {
    const lateText = 'Die Auswahl davor kam zu spät. Sie zählt nicht.'
    const { rerender } = show({ ...IDLE, notice: 'too_late' })
    expect(screen.getByText(lateText)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Gehen' })).toBeTruthy()
    rerender(
      <Kiosk
        view={answering({ name: 'Jonas' }, { notice: 'too_late' })}
        ahead={0}
        lost={false}
        silent={false}
      />,
    )
    expect(screen.getByText(lateText).getAttribute('role')).toBe('alert')
    expect(text()).toContain('Jonas')
    rerender(<Kiosk view={answering({ name: 'Jonas' })} ahead={0} lost={false} silent={false} />)
    expect(text()).not.toContain(lateText)
  })

  it('that the agent refuses says so', async () => {
    status = 409
    show(IDLE)
    fireEvent.click(screen.getByRole('button', { name: 'Kommen' }))
    await screen.findByText('Das hat nicht geklappt. Bitte noch einmal.')
    expect(text()).not.toContain('Chip anhalten')
  })

  it('that failed leaves the instruction to the next person', async () => {
    vi.useFakeTimers()
    status = 409
    show(IDLE)
    fireEvent.click(screen.getByRole('button', { name: 'Kommen' }))
    await act(() => vi.advanceTimersByTimeAsync(0))
    await act(() => vi.advanceTimersByTimeAsync(FAILED_MS - 1))
    expect(text()).toContain('Das hat nicht geklappt.')
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(text()).toContain('Chip anhalten, fertig.')
  })

  it('keeps the time in sight', () => {
    vi.useFakeTimers({ now: new Date('2026-11-20T06:57:59.000Z') })
    show({ ...IDLE, chosen: 'in' })
    expect(screen.getByRole('heading').textContent).toContain('07:57')
  })
})

describe('the answer to a tap', () => {
  it('greets who comes, with time, today and balance', () => {
    answer({ todayMinutes: 95 })
    for (const part of [
      'Kommen',
      'Hallo, Mia Sommer',
      '07:58',
      'Heute',
      '1h 35m',
      'Saldo',
      '+4h 10m',
      'gespeichert · gesendet',
    ]) {
      expect(text()).toContain(part)
    }
  })

  it('says good-bye to who goes', () => {
    answer({ kind: 'out', time: '16:31', balanceMinutes: -25 })
    for (const part of ['Gehen', 'Bis bald, Mia Sommer', '16:31', '−0h 25m']) expect(text()).toContain(part)
  })

  it('says that it is saved and still to be sent', () => {
    answer({ sent: false })
    expect(text()).toContain('gespeichert · wird gesendet')
  })

  it('shows no hours that the clock was not told', () => {
    answer({ todayMinutes: null, balanceMinutes: null })
    expect(text()).not.toContain('Heute')
    expect(text()).not.toContain('Saldo')
  })

  it('names the time of the stamp that a double tap repeats', () => {
    answer({ kind: 'double_tap', since: '07:58', time: '07:59' })
    expect(screen.getByRole('heading').textContent).toBe('Schon gestempelt um 07:58')
    expect(text()).toContain('Mia Sommer')
  })

  it('shows an unknown tag’s number and what to do', () => {
    answer({ kind: 'unknown', name: null, todayMinutes: null, balanceMinutes: null, sent: false })
    for (const part of [
      'Diesen Chip kenne ich noch nicht',
      '04A1B2C3D4E5F6',
      'Nenne diese Nummer deiner Verwaltung',
    ]) {
      expect(text()).toContain(part)
    }
  })

  it.each([
    ['04A1B2C3', ['04A1', 'B2C3']],
    ['04A1B2C3D4E5F6', ['04A1', 'B2C3', 'D4E5', 'F6']],
    ['04112233445566778899', ['0411', '2233', '4455', '6677', '8899']],
    ['TOR.NORD', ['TOR.NORD']],
  ])('shows the number %s in groups of four, and tells it as one', (tag, groups) => {
    answer({ kind: 'unknown', name: null, tag })
    const number = screen.getByRole('img', { name: tag })
    expect([...number.children].map(group => group.textContent)).toEqual(groups)
    expect(number.textContent).toBe(tag)
  })

  it('that is no stamp says so loudly, and never that anything is saved', () => {
    answer({ kind: 'not_saved', name: null, sent: false, todayMinutes: null, balanceMinutes: null })
    expect(screen.getByRole('alert').textContent).toContain('Nicht gespeichert')
    expect(text()).toContain('Dieser Stempel zählt nicht')
    expect(text()).not.toContain('wird gesendet')
  })

  it('adds the working time act’s remarks, and keeps codes that it does not know to itself', () => {
    answer({ kind: 'out', warnings: ['over_10_h', 'brand_new'] })
    expect(text()).toContain('Heute sind es mehr als 10 Stunden.')
    expect(text()).not.toContain('brand_new')
  })

  it.each<[string, string[], Partial<Limits>, string]>([
    ['whole hours', ['over_10_h'], { shiftMinutes: 480 }, 'Heute sind es mehr als 8 Stunden.'],
    ['half hours', ['over_10_h'], { shiftMinutes: 510 }, 'Heute sind es mehr als 8,5 Stunden.'],
    ['other minutes', ['over_10_h'], { shiftMinutes: 500 }, 'Heute sind es mehr als 8 Stunden 20 Minuten.'],
    [
      'a rest',
      ['short_rest'],
      { restMinutes: 720 },
      'Seit dem letzten Gehen sind es weniger als 12 Stunden.',
    ],
    ['a night', ['night'], { night: ['20:00', '06:00'] }, 'Von 20 bis 6 Uhr sollst du nicht arbeiten.'],
    [
      'a night of half hours',
      ['night'],
      { night: ['22:30', '00:05'] },
      'Von 22:30 bis 0:05 Uhr sollst du nicht arbeiten.',
    ],
    [
      'a night that nobody named',
      ['night', 'short_rest'],
      {},
      'Seit dem letzten Gehen sind es weniger als 11 Stunden.',
    ],
    [
      'a long day into the night',
      ['over_10_h', 'night'],
      { shiftMinutes: 480, night: ['20:00', '06:00'] },
      'Mehr als 8 Stunden. Von 20 bis 6 Uhr keine Arbeit.',
    ],
    [
      'a short rest in the night',
      ['short_rest', 'night'],
      { restMinutes: 720, night: ['20:00', '06:00'] },
      'Weniger als 12 Stunden Ruhe. Von 20 bis 6 Uhr keine Arbeit.',
    ],
  ])('names the person’s own hours: %s', (_, warnings, own, sentence) => {
    answer({ kind: 'out', warnings, limits: { shiftMinutes: 600, restMinutes: 660, night: null, ...own } })
    expect(foot()).toBe(`${sentence}gespeichert · gesendet`)
    expect(statusText()).toContain(sentence)
  })

  it.each([null, undefined])('names an adult’s hours where the agent says %s', limits => {
    answer({ kind: 'in', warnings: ['short_rest', 'night'], limits })
    expect(foot()).toBe('Seit dem letzten Gehen sind es weniger als 11 Stunden.gespeichert · gesendet')
  })
})

describe('adopting scanners', () => {
  it('is offered beside the answer to who may, and pressed for the stamp that is shown', async () => {
    answer({ steward: true })
    fireEvent.click(screen.getByRole('button', { name: 'Scanner' }))
    await waitFor(() => expect(posts).toEqual([{ path: '/adopt', body: { stampId: 's-1' } }]))
  })

  it.each<[string, Partial<Answer>]>([
    ['nobody else', {}],
    ['who is asked something', { steward: true, question: 'direction' }],
  ])('is offered to %s no button', (_who, members) => {
    answer(members)
    expect(screen.queryByRole('button', { name: 'Scanner' })).toBeNull()
  })

  it('that was pressed in vain says so', async () => {
    status = 409
    answer({ steward: true })
    fireEvent.click(screen.getByRole('button', { name: 'Scanner' }))
    await screen.findByText('Das hat nicht geklappt. Bitte noch einmal.')
  })

  const adopting = { until: '2026-11-20T07:02:59.000Z', adopted: ['SW-BEACON-000042'] }

  it('counts down, names who was adopted, and ends by „Fertig“', async () => {
    vi.useFakeTimers({ now: new Date('2026-11-20T06:57:59.000Z') })
    show({ ...IDLE, adopting })
    expect(text()).toContain('noch 5:00')
    act(() => vi.advanceTimersByTime(2_100))
    expect(text()).toContain('noch 4:58')
    expect(screen.getByText('Aufgenommen: SW‑BEACON‑000042').getAttribute('role')).toBe('status')
    fireEvent.click(screen.getByRole('button', { name: 'Fertig' }))
    await act(() => vi.advanceTimersByTimeAsync(0))
    expect(posts).toEqual([{ path: '/adopt', body: { stampId: null } }])
  })

  const page = (...scanners: Scanner[]) => show({ ...IDLE, adopting: { ...adopting, adopted: [], scanners } })
  const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))

  it('shows how each scanner is, and all of it at a press', () => {
    page(SCANNER, { ...SCANNER, ...OTHERWISE[1], serial: 'SW-2', name: 'Scanner 2' })
    expect(text()).toContain('in der Basis · 71\u00a0%')
    press(/Scanner 2/)
    expect(text()).toContain('zuletzt hier: Mittwoch, 23. September, 06:02')
    expect(text()).toContain('148 Stempel warten')
    press('Zurück')
    expect(text()).toContain('Scanner 1')
  })

  it.each<[Partial<Scanner>, string]>([
    [{}, '1.0.0'],
    [{ update: { version: '1.1.0', state: 'waiting' } }, '1.0.0, 1.1.0 folgt in der Basis'],
    [{ update: { version: '1.1.0', state: 'sending' } }, '1.0.0, 1.1.0 wird übertragen'],
    [{ update: { version: '1.1.0', state: 'failed' } }, '1.0.0, 1.1.0 nicht angenommen'],
  ])('%j is said of its version', (members, said) => {
    page({ ...SCANNER, ...members })
    press(/Scanner 1/)
    expect(screen.getByText('Version').nextElementSibling?.textContent).toBe(said)
  })

  it.each<[string, Partial<Scanner>, string]>([
    ['that is empty', {}, 'zu keiner Uhr mehr. Eine Uhr kann ihn neu aufnehmen.'],
    ['on which taps wait', { log: { used: 3, capacity: 40 } }, 'Die Uhr übernimmt sie zuerst'],
    ['that is away', { connected: false }, 'Ist er verloren, sind auch sie verloren.'],
  ])('a scanner %s is forgotten after a warning and a second press', async (_what, members, warning) => {
    page({ ...SCANNER, ...members })
    press(/Scanner 1/)
    press('Vergessen')
    expect(text()).toContain('Scanner 1 vergessen?')
    expect(text()).toContain(warning)
    expect(posts).toEqual([])
    press('Ja, vergessen')
    await waitFor(() => expect(posts).toEqual([{ path: '/forget', body: { serial: SCANNER.serial } }]))
  })

  it('one that is kept stays, and a press in vain says so', async () => {
    status = 409
    page(SCANNER)
    press(/Scanner 1/)
    press('Vergessen')
    press('Behalten')
    expect(posts).toEqual([])
    press('Vergessen')
    press('Ja, vergessen')
    await screen.findByText('Das hat nicht geklappt. Bitte noch einmal.')
  })

  it('one that is to be forgotten already offers that no more, and one that is gone leaves the list', () => {
    const rendered = page({ ...SCANNER, forgetting: true })
    press(/Scanner 1/)
    expect(screen.queryByRole('button', { name: 'Vergessen' })).toBeNull()
    expect(text()).toContain('Wird vergessen, sobald nichts mehr auf ihm wartet.')
    rendered.rerender(
      <Kiosk
        view={{ ...IDLE, adopting: { ...adopting, scanners: [] } }}
        ahead={0}
        lost={false}
        silent={false}
      />,
    )
    expect(text()).toContain('Scanner jetzt in die Basis stecken')
  })

  it('many are turned over', () => {
    page(
      ...Array.from({ length: 8 }, (_, one) => ({
        ...SCANNER,
        serial: `S-${one}`,
        name: `Scanner ${one + 1}`,
      })),
    )
    expect(text()).not.toContain('Scanner 7')
    press('Weitere (1 von 2)')
    expect(text()).toContain('Scanner 8')
    press('Weitere (2 von 2)')
    expect(text()).toContain('Scanner 1')
  })

  it('stands behind whoever stamps meanwhile', () => {
    show(answering({ name: 'Jonas' }, { adopting }))
    expect(text()).toContain('Hallo, Jonas')
    expect(text()).not.toContain('Basis')
  })
})

describe('what waits for who stamps', () => {
  it.each<[Partial<Answer>, string]>([
    [
      { openHandovers: 2, unreadMessages: 1 },
      '2 Übergaben warten auf deine Antwort 1 neue Nachrichtgespeichert · gesendet',
    ],
    [
      { kind: 'out', openHandovers: 1, unreadMessages: 12 },
      '1 Übergabe wartet auf deine Antwort 12 neue Nachrichtengespeichert · gesendet',
    ],
    [{ openHandovers: 1 }, '1 Übergabe wartet auf deine Antwortgespeichert · gesendet'],
    [{ unreadMessages: 2 }, '2 neue Nachrichtengespeichert · gesendet'],
    [{ openHandovers: 0, unreadMessages: 0 }, 'gespeichert · gesendet'],
    [{ openHandovers: null, unreadMessages: null }, 'gespeichert · gesendet'],
    [{ openHandovers: undefined, unreadMessages: undefined }, 'gespeichert · gesendet'],
  ])('%j is said in one quiet line', (members, line) => {
    answer(members)
    expect(foot()).toBe(line)
  })

  it('leaves its place to what the law says', () => {
    answer({ kind: 'out', warnings: ['over_10_h'], openHandovers: 2 })
    expect(foot()).toBe('Heute sind es mehr als 10 Stunden.gespeichert · gesendet')
    expect(statusText()).toContain('2 Übergaben warten auf deine Antwort.')
  })

  it('is not said before a question is answered', () => {
    answer({ question: 'direction', kind: 'out', openHandovers: 2, unreadMessages: 1 })
    expect(text()).not.toContain('Übergaben')
  })
})

describe('what assistive technology is told of an answer', () => {
  it.each<[string, Partial<Answer>, string]>([
    [
      'Kommen',
      { todayMinutes: 450, balanceMinutes: 195, openHandovers: 2, unreadMessages: 1 },
      'Mia Sommer: Kommen um 07:58 Uhr. Heute 7 Stunden 30 Minuten. Saldo plus 3 Stunden 15 Minuten. 2 Übergaben warten auf deine Antwort. 1 neue Nachricht.',
    ],
    [
      'Gehen',
      { kind: 'out', time: '16:31', todayMinutes: 61, balanceMinutes: -61, warnings: ['over_10_h'] },
      'Mia Sommer: Gehen um 16:31 Uhr. Heute 1 Stunde 1 Minute. Saldo minus 1 Stunde 1 Minute. Heute sind es mehr als 10 Stunden.',
    ],
    [
      'a balance of nothing',
      { todayMinutes: null, balanceMinutes: 0 },
      'Mia Sommer: Kommen um 07:58 Uhr. Saldo 0 Minuten.',
    ],
    [
      'a clock that was told no hours',
      { todayMinutes: null, balanceMinutes: null },
      'Mia Sommer: Kommen um 07:58 Uhr.',
    ],
    [
      'nobody known by name',
      { name: null, todayMinutes: null, balanceMinutes: null },
      'Kommen um 07:58 Uhr.',
    ],
    [
      'a double tap',
      { kind: 'double_tap', since: '07:58', time: '07:59', todayMinutes: 0, balanceMinutes: null },
      'Mia Sommer: Schon gestempelt um 07:58 Uhr. Das zählt einmal. Du musst nichts weiter tun. Heute 0 Minuten.',
    ],
    [
      'an unknown tag',
      { kind: 'unknown', name: null, todayMinutes: null, balanceMinutes: null },
      'Diesen Chip kenne ich noch nicht. Chip-Nummer 04A1B2C3D4E5F6. Nenne diese Nummer deiner Verwaltung. Dein Stempel ist gespeichert und wird gebucht, sobald der Chip dir gehört.',
    ],
  ])('%s is one line', (_what, members, line) => {
    answer(members)
    expect(statusText()).toBe(line)
    expect(screen.queryAllByRole('status')).toHaveLength(1)
  })

  it('what is no stamp is told at once', () => {
    answer({ kind: 'not_saved', todayMinutes: null, balanceMinutes: null })
    expect(screen.getByRole('alert').textContent).toBe(
      'Mia Sommer: Nicht gespeichert um 07:58 Uhr. Dieser Stempel zählt nicht. Bitte notiere die Zeit und sag gleich Bescheid.',
    )
    expect(statusText()).toBe('')
  })

  it('is not told again when the stamp has been sent', () => {
    const { rerender } = show(answering({ sent: false }))
    const textBefore = statusText()
    const place = screen.getByRole('status')
    rerender(<Kiosk view={answering({ sent: true })} ahead={0} lost={false} silent={false} />)
    expect(statusText()).toBe(textBefore)
    expect(screen.getByRole('status')).toBe(place)
  })

  it('stands in a place that is there before and after', () => {
    const { rerender } = show(IDLE)
    const [place] = screen.getAllByRole('status') as [HTMLElement]
    expect(place.textContent).toBe('')
    rerender(<Kiosk view={answering({})} ahead={0} lost={false} silent={false} />)
    expect(place.textContent).toContain('Mia Sommer')
    rerender(<Kiosk view={IDLE} ahead={0} lost={false} silent={false} />)
    expect(place.isConnected).toBe(true)
    expect(place.textContent).toBe('')
  })

  it('is nothing while the agent is lost', () => {
    show(answering({}), true)
    expect(screen.getAllByRole('status')[0]?.textContent).toBe('')
  })
})

describe('the question after a long entry', () => {
  const ask = () =>
    answer({
      kind: 'out',
      question: 'direction',
      openSince: '2026-11-19T19:02:00.000Z',
      stampId: 's-9',
      todayMinutes: 640,
      warnings: ['over_10_h'],
    })

  it('takes no side before it is answered', () => {
    ask()
    expect(screen.getByRole('heading').textContent).toBe('Kommen oder Gehen?')
    expect(text()).toContain('Mia Sommer')
    expect(text()).toContain('gespeichert · gesendet')
    for (const part of ['Bis bald', 'Hallo', 'Heute', 'Saldo']) expect(text()).not.toContain(part)
  })

  it('names since when, in the company’s time', () => {
    ask()
    expect(text()).toContain('Kommen oder Gehen?')
    expect(text()).toContain('Du bist seit Donnerstag, 19. November, 20:02 Uhr eingestempelt.')
  })

  it.each([
    ['Kommen', 'in'],
    ['Gehen', 'out'],
  ])('is answered with %s', async (name, direction) => {
    ask()
    fireEvent.click(screen.getByRole('button', { name }))
    await waitFor(() => expect(posts).toEqual([{ path: '/answer', body: { stampId: 's-9', direction } }]))
  })
})

describe('the question after a missing Gehen', () => {
  const GONE_ANSWER: Partial<Answer> = { question: 'gone', questionDate: '2026-11-19', stampId: 's-0' }
  const ask = () => answer(GONE_ANSWER)
  const type = (keys: string) => {
    for (const key of keys) fireEvent.click(screen.getByRole('button', { name: key }))
  }

  it.each([
    ['2026-11-19T13:07:00.000Z', 'Du bist am Donnerstag, 19. November, um 14:07 gekommen.'],
    ['2026-11-19T22:59:00.000Z', 'Du bist am Donnerstag, 19. November, um 23:59 gekommen.'],
    ['2026-11-19T23:07:00.000Z', 'Du bist heute um 00:07 gekommen.'],
  ])('says when the entry from %s began, in the company’s time', (openSince, told) => {
    // The clock's date, not the browser's, decides the day.
    vi.useFakeTimers({ now: new Date('2026-11-19T21:30:00.000Z') })
    const view = answering({ ...GONE_ANSWER, openSince })
    render(<Kiosk view={view} ahead={3 * 3_600_000} lost={false} silent={false} />)
    expect(text()).toContain(told)
    expect(text()).not.toContain('Da fehlt noch dein Gehen.')
  })

  it('says the day where the beginning is not known', () => {
    ask()
    expect(text()).toContain('Donnerstag, 19. November: Da fehlt noch dein Gehen.')
  })

  it('says what the tap was, and greets once it is answered', () => {
    const { rerender } = show(answering({ ...GONE_ANSWER, time: '18:21' }))
    expect(screen.getByRole('heading').textContent).toBe('Wann bist du gegangen?')
    expect(screen.getByRole('contentinfo').textContent).toBe('Kommen 18:21gespeichert · gesendet')
    expect(text()).not.toContain('Hallo')
    expect(statusText()).toBe('')
    const answered = answering({ stampId: 's-0', requested: true, unreadMessages: 3 })
    rerender(<Kiosk view={answered} ahead={0} lost={false} silent={false} />)
    expect(text()).toContain('Hallo, Mia Sommer')
    const thanks = 'Danke. Deine Angabe geht als Korrekturantrag an die Verwaltung.'
    expect(screen.getByRole('contentinfo').textContent).toBe(`${thanks}gespeichert · gesendet`)
    expect(statusText()).toContain(thanks)
  })

  it('is answered with a time from the keypad', async () => {
    ask()
    expect(text()).toContain('Wann bist du gegangen?')
    expect(text()).toContain('Donnerstag, 19. November')
    const done = screen.getByRole('button', { name: 'Fertig' }) as HTMLButtonElement
    expect(done.disabled).toBe(true)
    type('1730')
    expect(screen.getByLabelText('Eingegebene Uhrzeit').textContent).toBe('17:30')
    fireEvent.click(done)
    await waitFor(() =>
      expect(posts).toEqual([{ path: '/answer', body: { stampId: 's-0', newEnd: '17:30' } }]),
    )
  })

  it('takes no time that there is none of, and a digit can be taken back', () => {
    ask()
    type('1270')
    expect(text()).toContain('Diese Uhrzeit gibt es nicht.')
    expect((screen.getByRole('button', { name: 'Fertig' }) as HTMLButtonElement).disabled).toBe(true)
    fireEvent.click(screen.getByRole('button', { name: 'Letzte Ziffer löschen' }))
    expect(screen.getByLabelText('Eingegebene Uhrzeit').textContent).toBe('12:7')
    expect(text()).not.toContain('Diese Uhrzeit gibt es nicht.')
  })

  it('may be left open', async () => {
    ask()
    fireEvent.click(screen.getByRole('button', { name: 'Weiß ich nicht' }))
    await waitFor(() => expect(posts).toEqual([{ path: '/dismiss', body: { key: 'a-1' } }]))
  })

  it('that the agent refuses says so and can be sent again', async () => {
    status = 409
    ask()
    type('1730')
    fireEvent.click(screen.getByRole('button', { name: 'Fertig' }))
    await screen.findByText('Das hat nicht geklappt. Bitte noch einmal.')
    fireEvent.click(screen.getByRole('button', { name: 'Fertig' }))
    await waitFor(() => expect(posts).toHaveLength(2))
  })

  it('of the next tap starts empty', () => {
    const { rerender } = show(answering({ question: 'gone', questionDate: '2026-11-19' }))
    type('17')
    rerender(
      <Kiosk
        view={answering({ key: 'a-2', question: 'gone', questionDate: '2026-11-18' })}
        ahead={0}
        lost={false}
        silent={false}
      />,
    )
    expect(screen.getByLabelText('Eingegebene Uhrzeit').textContent).toBe(':')
  })
})

describe('a clock that belongs to nobody yet', () => {
  const unassigned: View = {
    ...IDLE,
    screen: 'unassigned',
    companyName: null,
    clockName: '',
    claimCode: '7K3MQX9P',
  }

  it('shows its claim code', () => {
    show(unassigned)
    expect(text()).toContain('7K3MQX9P')
    expect(text()).toContain('Diese Uhr gehört noch zu keiner Firma')
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('says that it cannot store before it belongs to anybody', () => {
    show({ ...unassigned, storage: 'failed' })
    expect(text()).toContain('Die Uhr kann nicht speichern')
    expect(text()).not.toContain('7K3MQX9P')
  })

  it('says when the code will come', () => {
    show({ ...unassigned, claimCode: null })
    expect(text()).toContain('Der Code erscheint')
  })
})

describe('without the agent', () => {
  it('the page promises nothing', () => {
    show(IDLE, true)
    expect(text()).toContain('Gleich geht es weiter')
    expect(screen.queryByRole('button')).toBeNull()
    expect(text()).not.toContain('Chip anhalten')
  })

  it('for long it says that the clock does not answer, and starts nothing', () => {
    show(IDLE, true, true)
    expect(screen.getByRole('alert').textContent).toContain('Die Uhr antwortet nicht')
    expect(text()).toContain('Stempeln ist gerade nicht möglich.')
    expect(text()).not.toContain('Die Uhr startet')
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('it is quiet before the first word', () => {
    show(null)
    expect(text()).toBe('')
  })

  it('an answer without its name still stands', () => {
    show(answering({ ...ANSWER, name: null }))
    expect(text()).toContain('07:58')
  })
})
