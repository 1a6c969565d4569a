import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../../tests/page'
import { serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { CheckPage } from './CheckPage'

serve()

const vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../cloud/tests/office/statement_vectors.json'), 'utf8'),
) as { keys: object[]; files: { name: string; content: string; previous: string | null }[] }

const KEYS = url('/.well-known/stempelwerk-keys.json')

const bytes = (text: string) => Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
const vector = (name: string) => vectors.files.find(file => file.name === name)
const file = (name: string, as = 'november.json') =>
  new File([bytes(vector(name)?.content ?? '')], as, { type: 'application/json' })

beforeEach(() => {
  reload()
  reportReached()
  server.use(http.get(KEYS, () => HttpResponse.json({ keys: vectors.keys })))
})

async function give(...files: File[]) {
  fireEvent.change(await screen.findByLabelText(/^Datei wählen/), { target: { files } })
}

const expectStatus = (sentence: string | RegExp) =>
  waitFor(() => expect(screen.getByRole('status').textContent).toMatch(sentence))

describe('one file', () => {
  it('that is genuine is said to be, with what stands in it', async () => {
    renderPage(<CheckPage />)
    await give(file('a genuine one'))
    await expectStatus(
      /^Echt: der Zeitnachweis von anna \(Tischlerei "Holzmann" & Söhne\) für November 2026 ist unverändert\.$/,
    )
    expect(
      screen.getByText('Es ist der erste Nachweis dieser Person: Davor wurde keiner ausgestellt.'),
    ).toBeDefined()
    const content = within(screen.getByRole('region', { name: 'Was darin steht' }))
    expect(content.getByText('168h 00m')).toBeDefined()
    expect(content.getByText('1. Dezember 2026, 08:00 Uhr')).toBeDefined()
    expect(content.getByText('dem Betreiber von https://stempelwerk.example')).toBeDefined()
    expect(screen.queryByText(/Nicht/)).toBeNull()
  })

  it.each([
    ['indented', /^Nicht echt: „november\.json“ ist anders geschrieben als bei der Unterschrift\.$/],
    ['a foreign key that it brings itself', /^Nicht echt: .* keinen Schlüssel dieser Installation\.$/],
    ['a minute more', /^Nicht echt: „november\.json“ wurde nach der Unterschrift verändert\.$/],
    ['signed with a member more', /^Nicht echt: /],
    [
      'signed with a day that its entries do not give',
      /^Nicht echt: .* die Zahlen darin widersprechen sich\.$/,
    ],
  ])('%s', async (name, sentence) => {
    renderPage(<CheckPage />)
    await give(file(name))
    await expectStatus(sentence)
    const failed = screen.getAllByText('Nicht bestanden:')
    expect(failed).toHaveLength(1)
    // The explanation matches the verdict.
    expect(failed[0]?.parentElement?.textContent).toMatch(/nicht |anders|fehlt/)
  })

  it.each([
    [
      'a PDF',
      '%PDF-1.7 …',
      /^Nicht prüfbar: „datei“ ist ein PDF, zum Lesen\. Ob der Nachweis echt ist, zeigt die JSON-Datei dazu\.$/,
    ],
    ['a picture', '\u0089PNG', /^Nicht prüfbar: „datei“ ist kein Zeitnachweis\. Geprüft wurde nichts\.$/],
    ['no JSON', null, /^Nicht prüfbar: „datei“ ist kein Zeitnachweis\. Geprüft wurde nichts\.$/],
  ])('%s is no forgery: nothing was checked', async (_, content, sentence) => {
    renderPage(<CheckPage />)
    await give(content === null ? file('no JSON', 'datei') : new File([content], 'datei'))
    await expectStatus(sentence)
    expect(screen.getByText(/Wähle die Datei, die mit „zeitnachweis-“ beginnt/)).toBeDefined()
    expect(screen.queryByRole('region', { name: 'Was geprüft wurde' })).toBeNull()
    expect(screen.queryByText(/Nicht echt|Nicht bestanden/)).toBeNull()
  })

  it('that was changed is not genuine, whatever lies beside it', async () => {
    renderPage(<CheckPage />)
    await give(new File(['%PDF-1.7'], 'november.pdf'), file('a minute more'))
    await expectStatus(/^Nicht echt: „november\.json“ wurde/)
  })

  it('names the one that it follows, which can be added', async () => {
    renderPage(<CheckPage />)
    await give(file('one that names the one before'))
    await expectStatus(/^Echt: /)
    expect(screen.getByText(/der davor ausgestellte Nachweis: der für Oktober 2026/)).toBeDefined()
    fireEvent.change(screen.getByLabelText(/^Vorigen Nachweis dazu prüfen/), {
      target: { files: [file('the first of two', 'oktober.json')] },
    })
    await expectStatus(/für November 2026 ist unverändert und schließt direkt an den für Oktober 2026 an\.$/)
  })

  it('that is far too large is not read', async () => {
    renderPage(<CheckPage />)
    await give(new File([new Uint8Array(5_000_000)], 'riesig.json'))
    await expectStatus(/^„riesig\.json“ ist viel zu groß/)
  })
})

describe('two files', () => {
  it.each([[0], [1]])('are one chain in either order: %i', async turned => {
    const both = [file('one that names the one before'), file('the first of two', 'oktober.json')]
    renderPage(<CheckPage />)
    await give(...(turned === 1 ? both.reverse() : both))
    await expectStatus(/^Echt: .* schließt direkt an den für Oktober 2026 an\.$/)
    expect(screen.getByText('Er schließt an den davor ausgestellten Nachweis an.')).toBeDefined()
  })

  it('that do not belong together are said to be apart', async () => {
    renderPage(<CheckPage />)
    await give(file('a genuine one'), file('the first of two', 'oktober.json'))
    await expectStatus(/^Echt, aber nicht verbunden: /)
  })

  it('of which one was changed are not genuine', async () => {
    renderPage(<CheckPage />)
    await give(file('one that names the one before'), file('a minute more', 'oktober.json'))
    await expectStatus(/^Nicht echt: „oktober\.json“ wurde/)
  })

  it('are the most', async () => {
    renderPage(<CheckPage />)
    await give(file('a genuine one'), file('a genuine one'), file('a genuine one'))
    await expectStatus(/höchstens zwei Dateien/)
  })
})

it('files can be dropped', async () => {
  renderPage(<CheckPage />)
  const zone = (await screen.findByText('oder hierher ziehen')).closest('div') as HTMLElement
  fireEvent.dragOver(zone)
  fireEvent.drop(zone, { dataTransfer: { files: [file('a genuine one')] } })
  await expectStatus(/^Echt: /)
})

describe('the keys', () => {
  it('are those that were known last, without a network', async () => {
    const { unmount } = renderPage(<CheckPage />)
    await screen.findByLabelText(/^Datei wählen/)
    unmount()
    server.use(http.get(KEYS, () => HttpResponse.error()))
    renderPage(<CheckPage />)
    expect(await screen.findByText(/^Ohne Verbindung: geprüft wird mit den Schlüsseln vom/)).toBeDefined()
    await give(file('a genuine one'))
    await expectStatus(/^Echt: /)
  })

  it('were heard by the service worker of who opens the page without a network first', async () => {
    server.use(http.get(KEYS, () => HttpResponse.error()))
    const headers = { date: 'Fri, 20 Nov 2026 07:00:00 GMT' }
    const match = async () => HttpResponse.json({ keys: vectors.keys }, { headers })
    vi.stubGlobal('caches', { match })
    renderPage(<CheckPage />)
    expect(await screen.findByText(/Schlüsseln vom 20. November, 08:00/)).toBeDefined()
    await give(file('a genuine one'))
    await expectStatus(/^Echt: /)
    vi.unstubAllGlobals()
  })

  it('must have been known once; who had none can ask again', async () => {
    server.use(http.get(KEYS, () => HttpResponse.error()))
    renderPage(<CheckPage />)
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Die Schlüssel dieser Installation konnten nicht geladen werden.')
    server.use(http.get(KEYS, () => HttpResponse.json({ keys: vectors.keys })))
    await userEvent.click(within(alert).getByRole('button', { name: 'Erneut versuchen' }))
    expect(await screen.findByLabelText(/^Datei wählen/)).toBeDefined()
  })

  it('that were kept and are spoiled count for nothing', async () => {
    localStorage.setItem('statement-keys', '{"rows":7}')
    server.use(http.get(KEYS, () => HttpResponse.error()))
    renderPage(<CheckPage />)
    expect(await screen.findByRole('alert')).toBeDefined()
  })
})
