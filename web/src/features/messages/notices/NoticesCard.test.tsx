import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../../../tests/eventually'
import { renderPage } from '../../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../../tests/server'
import { reportReached } from '../../../api/connectivity'
import { drop, renew } from '../../../api/push'
import { pushed } from '../../../api/pushed'
import { reload } from '../../../api/session'
import { keepPush } from '../../../app/push'
import { NOTICES } from '../samples'
import { NoticesCard } from './NoticesCard'
import type { Notices } from './useNotices'

const ALL_OFF = { handoff: false, decisions: false, schedule: false, requests: false }
let notices: Notices
let puts: unknown[]
let subscriptionBodies: unknown[]
let ended: string[]

serve()
beforeEach(() => {
  reload()
  logInAs()
  reportReached()
  notices = { ...NOTICES, mail: ALL_OFF }
  puts = []
  subscriptionBodies = []
  ended = []
  server.use(
    http.get(url('/api/notifications'), () => HttpResponse.json(notices)),
    http.put(url('/api/notifications'), async ({ request }) => {
      const change = (await request.json()) as Partial<Record<'push' | 'mail', object>>
      puts.push(change)
      notices = {
        ...notices,
        push: { ...notices.push, ...change.push },
        mail: { ...notices.mail, ...change.mail },
      }
      return HttpResponse.json(notices)
    }),
    http.post(url('/api/push/subscriptions'), async ({ request }) => {
      const body = (await request.json()) as { endpoint: string }
      subscriptionBodies.push(body)
      const id = body.endpoint.replace('https://push.example/', 's-')
      if (!notices.subscriptions.some(known => known.id === id))
        notices = { ...notices, subscriptions: [...notices.subscriptions, { id, failingSince: null }] }
      return HttpResponse.json({ id }, { status: 201 })
    }),
    http.delete(url('/api/push/subscriptions/:id'), ({ params }) => {
      ended.push(`${params.id}`)
      const subscriptions = notices.subscriptions.filter(({ id }) => id !== params.id)
      notices = { ...notices, subscriptions }
      return new HttpResponse(null, { status: 204 })
    }),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

/** A browser with push support: its answer to the permission request, and its subscription. */
class FakeBrowser {
  permission: NotificationPermission = 'default'
  subscription: object | null = null
  asked = 0
  broken = false
  /** Each subscription has its own address, as in real browsers. */
  private made = 0

  constructor(answer: NotificationPermission = 'granted') {
    const pushManager = {
      getSubscription: async () => this.subscription,
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
        if (this.broken) throw new DOMException('no push service', 'AbortError')
        // As real browsers do.
        if (this.subscription !== null) throw new DOMException('another key', 'InvalidStateError')
        this.subscription = this.make(applicationServerKey)
        return this.subscription
      },
    }
    const worker = { pushManager, getNotifications: async () => [] }
    Object.defineProperty(navigator, 'serviceWorker', {
      configurable: true,
      value: {
        ready: Promise.resolve(worker),
        getRegistration: async () => worker,
        addEventListener() {},
        removeEventListener() {},
      },
    })
    vi.stubGlobal('PushManager', class {})
    const browser = this
    vi.stubGlobal('Notification', {
      get permission() {
        return browser.permission
      },
      async requestPermission() {
        browser.asked += 1
        if (browser.permission === 'default') browser.permission = answer
        return browser.permission
      },
    })
  }

  private make(key: Uint8Array) {
    this.made += 1
    const endpoint = `https://push.example/${this.made}`
    return {
      endpoint,
      options: { applicationServerKey: key.buffer },
      toJSON: () => ({
        endpoint,
        expirationTime: null,
        keys: { p256dh: 'p', auth: 'a' },
      }),
      unsubscribe: async () => {
        this.subscription = null
        return true
      },
    }
  }
}

const open = (session = MIA) => renderPage(<NoticesCard session={session} />)

const tick = async (name: string) => (await screen.findByRole('checkbox', { name })) as HTMLInputElement
const HANDOFF = 'Übergaben: Push auf diesem Gerät'
const able = async (name: string) => {
  const box = await tick(name)
  await waitFor(() => expect(box.disabled).toBe(false))
  return box
}

describe('what is chosen', () => {
  it('is nothing at first; by mail each choice is one call', async () => {
    open()
    const boxes = (await screen.findAllByRole('checkbox')) as HTMLInputElement[]
    expect(boxes).toHaveLength(6)
    expect(boxes.some(({ checked }) => checked)).toBe(false)
    await userEvent.click(await tick('Entscheidungen: E-Mail'))
    await userEvent.click(await tick('Dienstplan: E-Mail'))
    await eventually(() =>
      expect(puts).toEqual([{ mail: { decisions: true } }, { mail: { schedule: true } }]),
    )
    expect((await tick('Entscheidungen: E-Mail')).checked).toBe(true)
    await screen.findByText('E-Mails gehen an m…@holm.example.')
  })

  it('are requests for administrators, and no hand-overs or rosters', async () => {
    open({ ...MIA, role: 'companyAdmin' })
    const rows = (await screen.findAllByRole('rowheader')).map(row => row.firstChild?.textContent)
    expect(rows).toEqual(['Anfragen', 'Entscheidungen'])
  })

  it('is refused with the service’s sentence, and shown as it is', async () => {
    const sentence = 'Mit deinem Konto ist keine E-Mail-Adresse verknüpft. So geht es nicht.'
    server.use(http.put(url('/api/notifications'), () => refusal(409, sentence)))
    open()
    await userEvent.click(await tick('Dienstplan: E-Mail'))
    expect((await screen.findByRole('alert')).textContent).toContain(sentence)
    await waitFor(async () => expect((await tick('Dienstplan: E-Mail')).checked).toBe(false))
  })

  it('cannot be mail without a linked address, but can be taken back', async () => {
    notices = { ...notices, mailAddress: null, mail: { ...ALL_OFF, schedule: true } }
    open()
    await screen.findByText(/keine E-Mail-Adresse verknüpft/)
    expect((await tick('Übergaben: E-Mail')).disabled).toBe(true)
    expect((await tick('Dienstplan: E-Mail')).disabled).toBe(false)
  })
})

describe('push on this device', () => {
  it('asks the browser, tells the service where, and then what of', async () => {
    const browser = new FakeBrowser()
    open()
    await userEvent.click(await able(HANDOFF))
    await screen.findByText('Dieses Gerät empfängt Push.')
    expect(browser.asked).toBe(1)
    expect(subscriptionBodies).toEqual([
      { endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } },
    ])
    expect(puts).toEqual([{ push: { handoff: true } }])
    expect((await tick(HANDOFF)).checked).toBe(true)
    expect(pushed()).toEqual({ userId: 'u-1', id: 's-1', key: NOTICES.publicKey })
  })

  it('ends with the last kind', async () => {
    const browser = new FakeBrowser()
    open()
    await userEvent.click(await able(HANDOFF))
    await screen.findByText('Dieses Gerät empfängt Push.')
    await userEvent.click(await able('Dienstplan: Push auf diesem Gerät'))
    await userEvent.click(await able(HANDOFF))
    await eventually(() => expect(puts).toHaveLength(3))
    expect(ended).toEqual([])
    await userEvent.click(await able('Dienstplan: Push auf diesem Gerät'))
    await eventually(() => expect(ended).toEqual(['s-1']))
    await eventually(() => expect(browser.subscription).toBeNull())
    expect(pushed()).toBeNull()
  })

  it('is not ticked where only another device has it, and can be joined and left alone', async () => {
    new FakeBrowser()
    notices = { ...notices, push: { ...ALL_OFF, handoff: true } }
    open()
    await screen.findByText('Push ist eingeschaltet, aber nicht auf diesem Gerät.')
    expect((await tick(HANDOFF)).checked).toBe(false)
    await userEvent.click(screen.getByRole('button', { name: 'Auch auf diesem Gerät' }))
    await screen.findByText('Dieses Gerät empfängt Push.')
    expect((await tick(HANDOFF)).checked).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Auf diesem Gerät ausschalten' }))
    await screen.findByText('Push ist eingeschaltet, aber nicht auf diesem Gerät.')
    expect(ended).toEqual(['s-1'])
    expect(puts).toEqual([])
  })

  it.each([
    ['denied', 'Dein Browser darf dich nicht benachrichtigen.'],
    ['default', 'Push ist noch aus.'],
  ] as const)('that is %s says so, and chooses nothing', async (answer, sentence) => {
    new FakeBrowser(answer)
    open()
    await userEvent.click(await able(HANDOFF))
    expect((await screen.findByRole('alert')).textContent).toContain(sentence)
    expect((await tick(HANDOFF)).checked).toBe(false)
    expect([puts, subscriptionBodies]).toEqual([[], []])
  })

  it('whose push service is out of reach says so', async () => {
    new FakeBrowser().broken = true
    open()
    await userEvent.click(await able(HANDOFF))
    expect((await screen.findByRole('alert')).textContent).toContain('Push ließ sich nicht einschalten.')
    expect(puts).toEqual([])
  })

  it('is impossible in a browser without it; on an iPhone it needs the home screen first', async () => {
    open()
    await screen.findByText('Dieser Browser kann keinen Push empfangen.')
    expect((await tick(HANDOFF)).disabled).toBe(true)
    document.body.innerHTML = ''
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)')
    open()
    await screen.findByText(/zuerst zum Home-Bildschirm hinzufügen/)
    vi.restoreAllMocks()
  })

  it('is named anew in the next session, and subscribed anew where the browser has lost it', async () => {
    const browser = new FakeBrowser()
    open()
    await userEvent.click(await able(HANDOFF))
    await screen.findByText('Dieses Gerät empfängt Push.')
    browser.subscription = null
    await renew()
    expect(subscriptionBodies).toHaveLength(2)
    expect(browser.subscription).not.toBeNull()
    await drop()
    expect(browser.subscription).toBeNull()
    // Only the lost subscription.
    expect(ended).toEqual(['s-1'])
  })

  const OTHER_KEY = 'BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBA'
  const keyOf = (browser: FakeBrowser) => [
    ...new Uint8Array(
      (browser.subscription as PushSubscription).options.applicationServerKey ?? new ArrayBuffer(),
    ),
  ]

  /** Enables push in this browser, then leaves the page. */
  async function turnedOn(browser = new FakeBrowser()) {
    const page = open()
    await userEvent.click(await able(HANDOFF))
    await screen.findByText('Dieses Gerät empfängt Push.')
    page.unmount()
    return browser
  }

  it('is subscribed anew when the page is opened, where the service has another key, and asks nobody', async () => {
    const browser = await turnedOn()
    const keyBefore = keyOf(browser)
    notices = { ...notices, publicKey: OTHER_KEY }
    open()
    await screen.findByText('Dieses Gerät empfängt Push.')
    expect(keyOf(browser)).not.toEqual(keyBefore)
    expect([ended, browser.asked, notices.subscriptions]).toEqual([
      ['s-1'],
      1,
      [{ id: 's-2', failingSince: null }],
    ])
    expect(pushed()).toEqual({ userId: 'u-1', id: 's-2', key: OTHER_KEY })
  })

  it('is subscribed anew at a start of the app, where the service has another key', async () => {
    const browser = await turnedOn()
    notices = { ...notices, publicKey: OTHER_KEY }
    const stop = keepPush()
    await eventually(() => expect(pushed()?.key).toBe(OTHER_KEY))
    await eventually(() => expect(ended).toEqual(['s-1']))
    expect(keyOf(browser)[0]).toBe(4)
    stop()
  })

  it('is subscribed anew where the service no longer holds it', async () => {
    await turnedOn()
    notices = { ...notices, subscriptions: [] }
    await renew()
    expect(notices.subscriptions).toEqual([{ id: 's-2', failingSince: null }])
  })

  it('is subscribed anew once, however many ask for it at once', async () => {
    await turnedOn()
    notices = { ...notices, publicKey: OTHER_KEY }
    await Promise.all([renew(), renew(), renew()])
    expect(subscriptionBodies).toHaveLength(2)
  })

  it('stays as it is where nothing has changed', async () => {
    const browser = await turnedOn()
    const subscriptionBefore = browser.subscription
    await renew()
    expect([browser.subscription, ended]).toEqual([subscriptionBefore, []])
  })

  it('is said to be off where it cannot be subscribed anew, and tried again at the next start', async () => {
    const browser = await turnedOn()
    notices = { ...notices, publicKey: OTHER_KEY }
    browser.broken = true
    const page = open()
    await screen.findByText('Push ist eingeschaltet, aber nicht auf diesem Gerät.')
    expect((await tick(HANDOFF)).checked).toBe(false)
    await screen.findByRole('button', { name: 'Auch auf diesem Gerät' })
    page.unmount()
    browser.broken = false
    await renew()
    expect(pushed()).toEqual({ userId: 'u-1', id: 's-2', key: OTHER_KEY })
  })

  it('ends here and on the service where the permission was taken back', async () => {
    const browser = await turnedOn()
    browser.permission = 'denied'
    open()
    await screen.findByText(/Erlaube es in den Einstellungen deines Browsers/)
    await eventually(() => expect(ended).toEqual(['s-1']))
    expect([pushed(), browser.subscription]).toEqual([null, null])
  })

  it('of somebody else is left alone', async () => {
    const browser = await turnedOn()
    notices = { ...notices, publicKey: OTHER_KEY }
    open({ ...MIA, userId: 'u-2' })
    await screen.findByText('Push ist eingeschaltet, aber nicht auf diesem Gerät.')
    expect([subscriptionBodies.length, browser.subscription === null]).toEqual([1, false])
  })

  it('says since when nothing arrives, and what helps', async () => {
    await turnedOn()
    notices = { ...notices, subscriptions: [{ id: 's-1', failingSince: '2026-11-19T07:05:00.000Z' }] }
    open()
    await screen.findByText(
      'Seit dem 19. November, 08:05 Uhr kommt auf diesem Gerät nichts an. Schalte Push hier aus und wieder ein.',
    )
    await screen.findByRole('button', { name: 'Auf diesem Gerät ausschalten' })
  })
})
