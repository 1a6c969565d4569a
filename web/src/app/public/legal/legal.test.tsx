import { render, screen, within } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { MemoryRouter, StaticRouter } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../../../tests/eventually'
import { type Given, layOutSite, OPERATOR_FACTS, type Site } from '../site'
import { Imprint } from './Imprint'
import { Privacy } from './Privacy'
import { elapsed, isEnforced, lasting, NAMES } from './periods'
import { SECTIONS } from './sections'

const site = (sample: boolean, inquiries = false): Site => ({
  origin: 'https://zeit.example',
  today: '2026-11-24',
  todayText: '24. November 2026',
  inquiries,
  complete: !sample,
  operator: Object.fromEntries(OPERATOR_FACTS.map(name => [name, { text: `(${name})`, sample }])) as Record<
    (typeof OPERATOR_FACTS)[number],
    Given
  >,
})

const draw = (page: 'privacy' | 'imprint', known: Site | null = site(true)) => {
  layOutSite(known)
  return render(<MemoryRouter>{page === 'privacy' ? <Privacy /> : <Imprint />}</MemoryRouter>).container
}

const words = (node: Element | null | undefined) => node?.textContent?.replace(/\s+/g, ' ') ?? ''
const section = (page: Element, id: string) => words(page.querySelector(`section#${id}`))

beforeEach(() => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
})
afterEach(() => layOutSite(null))

describe('both pages', () => {
  const pages = [
    ['privacy', <Privacy key="p" />, 'Datenschutzerklärung'],
    ['imprint', <Imprint key="i" />, 'Impressum'],
  ] as const

  it.each(pages)(
    '%s can be written without a browser, also with tokens in place of values',
    (_, page, title) => {
      const token = (path: string) => `⟦${path}⟧`
      const tokens = {
        ...Object.fromEntries(
          ['origin', 'today', 'todayText', 'inquiries', 'complete'].map(name => [name, token(name)]),
        ),
        operator: Object.fromEntries(
          OPERATOR_FACTS.map(name => [
            name,
            { text: token(`operator.${name}.text`), sample: token(`operator.${name}.sample`) },
          ]),
        ),
      } as unknown as Site
      for (const siteState of [null, site(true), tokens]) {
        layOutSite(siteState)
        const html = renderToString(<StaticRouter location="/">{page}</StaticRouter>)
        expect(html).toContain(`>${title}</h1>`)
        expect(html).not.toMatch(/undefined|\[object|NaN/)
      }
    },
  )

  it.each(pages)('%s has one h1, headings in order and anchors that are there once', (which, _, title) => {
    const page = draw(which)
    const levels = [...page.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName[1]))
    expect(levels.filter(level => level === 1)).toEqual([1])
    expect(page.querySelector('h1')?.textContent).toBe(title)
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThan(2)
    const ids = [...page.querySelectorAll('[id]')].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const link of page.querySelectorAll('a[href^="#"]')) {
      expect(ids).toContain(link.getAttribute('href')?.slice(1))
    }
  })

  it.each(pages)('%s is set in good German', which => {
    const text = draw(which).textContent ?? ''
    expect(text).not.toMatch(/[!"'\u2018\u201d]/)
    expect(text.match(/„/g)?.length ?? 0).toBe(text.match(/“/g)?.length ?? 0)
    // Related words stay on one line.
    expect(text).not.toMatch(/(§|Art\.|Abs\.|lit\.|Nr\.|Abschnitt) /)
    expect(text).not.toMatch(/\d (Minuten|Stunden|Tage|Monate|Jahre)/)
  })

  it.each(pages)('%s names no law that is gone, and links to no closed platform', which => {
    const page = draw(which)
    expect(page.textContent).not.toMatch(/TMG|TTDSG|RStV/)
    for (const link of page.querySelectorAll('a')) expect(link.getAttribute('href')).not.toMatch(/^https?:/)
  })
})

describe('the imprint', () => {
  it('says that data are missing, as long as they are', () => {
    draw('imprint')
    expect(screen.getByText('In Gründung / Daten werden ergänzt').dataset.hidden).toBe('false')
  })

  it('says so no longer once the operator has given all of it', () => {
    draw('imprint', site(false))
    expect(screen.getByText('In Gründung / Daten werden ergänzt').dataset.hidden).toBe('true')
    expect(screen.getByText(/Postanschrift folgt/).dataset.sample).toBe('false')
  })

  it('bears today’s date', () => {
    const page = draw('imprint')
    const date = page.querySelector('time')
    expect(date?.dateTime).toBe('2026-11-24')
    expect(date?.parentElement?.textContent).toBe('Stand: 24. November 2026')
  })

  it('marks what is a sample, the address above all', () => {
    const page = draw('imprint')
    const marked = [...page.querySelectorAll('[data-sample="true"]')].map(words)
    for (const name of ['name', 'represented', 'street', 'city', 'email', 'phone', 'register', 'vatId'])
      expect(marked.some(text => text.includes(`(${name})`))).toBe(true)
    expect(screen.getByText(/Postanschrift folgt/).dataset.sample).toBe('true')
  })

  it('can be written to and called', () => {
    const page = draw('imprint')
    expect([...page.querySelectorAll('dd a')].map(link => link.getAttribute('href'))).toEqual([
      'mailto:(email)',
      '(phoneUri)',
    ])
  })

  it('has what the law wants to be said', () => {
    const page = draw('imprint')
    expect(screen.getAllByRole('heading', { level: 2 }).map(words)).toEqual([
      'Angaben gemäß § 5 DDG',
      'Haftung für Inhalte',
      'Haftung für Links',
      'Urheberrecht',
      'Verbraucherstreitbeilegung',
    ])
    for (const law of ['§ 27a UStG', '§ 18 Abs. 2 MStV', '§ 7 Abs. 1 DDG', '§ 36 VSBG'])
      expect(words(page)).toContain(law)
  })
})

describe('the privacy statement', () => {
  it('has 25 sections with their numbers', () => {
    const page = draw('privacy')
    const heads = [...page.querySelectorAll('section > h2')].map(words)
    expect(heads).toHaveLength(25)
    expect(heads).toEqual(SECTIONS.map(({ title }, index) => `${index + 1}. ${title}`))
  })

  it('has contents that lead to each of them, beside the text and folded above it', () => {
    const page = draw('privacy')
    const contents = screen.getAllByRole('navigation', { name: 'Inhalt' })
    expect(contents).toHaveLength(2)
    for (const table of contents) {
      const links = within(table).getAllByRole('link')
      expect(links).toHaveLength(25)
      for (const [index, link] of links.entries()) {
        const id = link.getAttribute('href')?.slice(1)
        expect(words(page.querySelector(`section[id="${id}"] > h2`))).toBe(words(link))
        expect(words(link)).toMatch(new RegExp(`^${index + 1}\\. `))
      }
    }
    expect(page.querySelector('details')?.open).toBe(false)
  })

  it('names a section by the number that it has', () => {
    const page = draw('privacy')
    for (const link of page.querySelectorAll('section a[href^="#"]')) {
      const number = Number(words(link).match(/\d+$/)?.[0])
      expect(`#${SECTIONS[number - 1]?.id}`).toBe(link.getAttribute('href'))
    }
  })

  it('leads back to its top, and to the imprint', () => {
    const end = within(draw('privacy').querySelector('footer') as HTMLElement)
    expect(end.getByRole('link', { name: 'Nach oben' }).getAttribute('href')).toBe('#top')
    expect(end.getByRole('link', { name: 'Impressum' }).getAttribute('href')).toBe('/impressum')
  })

  it('marks the section that is being read', () => {
    const observerCallbacks = new Map<string, IntersectionObserverCallback>()
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(tell: IntersectionObserverCallback, { rootMargin }: IntersectionObserverInit) {
          observerCallbacks.set(String(rootMargin), tell)
        }
        observe() {}
        disconnect() {}
      },
    )
    const page = draw('privacy')
    const current = () =>
      [...page.querySelectorAll('[aria-current="location"]')].map(link => link.getAttribute('href'))
    const come = (id: string, isIntersecting = true) => {
      const change = {
        isIntersecting,
        target: page.querySelector(`#${id}`),
      } as unknown as IntersectionObserverEntry
      const [band] = observerCallbacks.values()
      band?.([change], null as unknown as IntersectionObserver)
    }
    expect(current()).toEqual([])
    come('stempel')
    return eventually(() => expect(current()).toEqual(['#stempel', '#stempel']))
  })

  it('claims no analytics and no newsletter that do not exist', () => {
    const page = draw('privacy')
    const sectionText = section(page, 'newsletter-und-analyse')
    expect(sectionText).toContain('keinen Newsletter')
    expect(sectionText).toContain('Double-Opt-in')
    expect(sectionText).toContain('Abmeldelink')
    expect(sectionText).toContain('keine Analyse- oder Werbewerkzeuge')
    expect(sectionText).toContain('weder auf diesen Seiten noch für angemeldete Personen')
    page.querySelector('section#newsletter-und-analyse')?.remove()
    expect(words(page)).not.toMatch(/Google Analytics|Matomo|Reichweitenmessung|abonnier/i)
    // Elsewhere both words occur only where they are denied, or name the section.
    const elsewhere = words(page).replace(/Kein Newsletter, keine Analyse|kein Newsletter/g, '')
    expect(elsewhere).not.toMatch(/Newsletter|Analyse/)
  })

  it('says what the documents want it to say', () => {
    const page = draw('privacy')
    expect(section(page, 'stammdaten')).toMatch(/Benutzernamen.*Zuordnung zu einer Firma.*Rolle.*Rechte/)
    expect(section(page, 'stammdaten')).toContain('mindestens bis das Firmenkonto gelöscht wird')
    expect(section(page, 'anmeldung')).toContain('höchstens 2 Stunden')
    expect(section(page, 'geraete')).toMatch(/Gerätekennung und Seriennummer.*MAC-Adresse, IP-Adresse/)
    expect(section(page, 'stempel')).toMatch(/Nummer des Chips.*Benutzerkennung/)
    expect(section(page, 'stempel')).toContain('solange das Firmenkonto besteht')
    expect(section(page, 'warteschlangen')).toContain('nachgeschickt, sobald wieder eine Verbindung besteht')
    expect(section(page, 'krankmeldungen')).toContain('Art. 9 DSGVO')
    expect(section(page, 'support')).toContain(
      'Soweit dir in der Anwendung ein Support-Formular angeboten wird',
    )
    expect(section(page, 'protokolle')).toContain('nach 7 Tagen, also einer Woche, gelöscht')
    expect(section(page, 'browser')).toContain('§ 25 Abs. 2 Nr. 2 TDDDG')
    expect(section(page, 'rechte')).toContain('(authority)')
    expect(section(page, 'empfaenger')).toContain('(host)')
  })

  it('has every period in its table, and says of each that nothing keeps to that it is only planned', () => {
    const rows = [...draw('privacy').querySelectorAll('#speicherfristen td')].map(words)
    for (const name of NAMES.filter(name => !name.startsWith('calendar'))) {
      const text = lasting(name).replace('\u00a0', ' ')
      expect(rows.some(row => row.includes(text))).toBe(true)
      if (!isEnforced(name)) expect(rows.some(row => row.includes(`${text} (vorgesehen)`))).toBe(true)
    }
    expect(rows.filter(row => row.includes('vorgesehen'))).toHaveLength(
      NAMES.filter(name => !isEnforced(name)).length,
    )
  })

  it.each([true, false])('says whether the forms send anything here: %s', taken => {
    const page = draw('privacy', site(true, taken))
    const [off, on] = [/verlässt deinen Browser nicht/, /Was du abschickst, wird bei uns gespeichert/].map(
      text => screen.getByText(text),
    )
    expect(off?.dataset.hidden).toBe(String(taken))
    expect(on?.dataset.taken).toBe(String(taken))
    expect(section(page, 'kontaktformular')).toContain('nach 6 Monaten')
  })
})

describe('a period', () => {
  it('is German, and stays in one line', () => {
    expect(lasting('remembered')).toBe('30\u00a0Tage')
    expect(elapsed('remembered')).toBe('30\u00a0Tagen')
    expect(elapsed('session')).toBe('2\u00a0Stunden')
    expect(elapsed('messages')).toBe('2\u00a0Jahren')
  })
})
