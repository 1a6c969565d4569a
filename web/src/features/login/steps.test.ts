import { describe, expect, it } from 'vitest'
import { advance, type Event, type Outcome, type Request, START, STEPS, type State, type Step } from './steps'

const stateAt = (step: Step, more: Partial<State> = {}): State => ({
  ...START,
  step,
  ticket: 't-1',
  turn: 1,
  ...more,
})
const ask = (request: Request): Event => ({ type: 'ask', request })
const answer = (outcome: Outcome): Event => ({ type: 'answer', outcome })
const next = (step: string, emailHint: string | null = null): Event =>
  answer({ kind: 'next', step, ticket: 't-2', emailHint })
const BACK: Event = { type: 'back' }

describe('a request', () => {
  const ALLOWED: Record<Step, readonly Request[]> = {
    credentials: ['login'],
    email_input: ['send'],
    email_otp: ['send', 'verify'],
    totp: ['verify'],
    password_change: ['change'],
  }
  const REQUESTS: readonly Request[] = ['login', 'send', 'verify', 'change']
  const table = STEPS.flatMap(step => REQUESTS.map(request => [step, request] as const))

  it.each(table)('in %s: %s', (step, request) => {
    const stateBefore = stateAt(step)
    const now = advance(stateBefore, ask(request))
    if (ALLOWED[step].includes(request)) expect(now.busy).toBe(request)
    else expect(now).toBe(stateBefore)
  })

  it.each(table)('in %s, %s is ignored while another is in flight', (step, request) => {
    const stateBefore = stateAt(step, { busy: 'verify' })
    expect(advance(stateBefore, ask(request))).toBe(stateBefore)
  })

  it('takes away what was wrong before, and what was due', () => {
    const now = advance(stateAt('email_otp', { sentence: 'Nein.', due: true }), ask('send'))
    expect(now).toMatchObject({ sentence: null, due: false })
  })
})

describe('an answer', () => {
  it.each([
    ['credentials', 'email_input', false],
    ['credentials', 'email_otp', true],
    ['credentials', 'totp', false],
    ['credentials', 'password_change', false],
    ['password_change', 'email_otp', true],
    ['password_change', 'totp', false],
    ['password_change', 'email_input', false],
  ] as const)('leads from %s on to %s; a code is due: %s', (from, to, due) => {
    const now = advance(stateAt(from, { busy: 'login', until: 5, sentence: 'Alt.' }), next(to, 'm…@holm.de'))
    expect(now).toEqual({ ...START, step: to, ticket: 't-2', emailHint: 'm…@holm.de', due, turn: 2 })
  })

  it.each(['credentials', 'face_scan', 'toString'])(
    'with the step %s is one that this page does not know',
    step => {
      const now = advance(stateAt('credentials', { busy: 'login' }), next(step))
      expect(now).toMatchObject({ step: 'credentials', busy: null })
      expect(now.sentence).toContain('noch ein Anmeldeschritt')
    },
  )

  it('that the code is sent leads from email_input to email_otp, where nothing more is due', () => {
    const now = advance(stateAt('email_input', { busy: 'send' }), answer({ kind: 'sent' }))
    expect(now).toMatchObject({
      step: 'email_otp',
      ticket: 't-1',
      linking: true,
      sent: true,
      due: false,
      busy: null,
    })
  })

  it('that the code is sent says until when no other is', () => {
    const sent = answer({ kind: 'sent', until: 30_000 })
    expect(advance(stateAt('email_otp', { busy: 'send' }), sent).until).toBe(30_000)
  })

  it('that the code is sent again stays, and forgets no typed address', () => {
    for (const linking of [true, false]) {
      const now = advance(stateAt('email_otp', { busy: 'send', linking }), answer({ kind: 'sent' }))
      expect(now).toMatchObject({ step: 'email_otp', linking, sent: true })
    }
  })

  it.each(STEPS)('that refuses leaves %s where it is, with the sentence', step => {
    const now = advance(
      stateAt(step, { busy: 'verify', until: 7 }),
      answer({ kind: 'refused', sentence: 'Nein.' }),
    )
    expect(now).toMatchObject({ step, ticket: 't-1', busy: null, sentence: 'Nein.', until: 7 })
  })

  it('that asks to wait says until when', () => {
    const wait = answer({ kind: 'refused', sentence: 'Warte.', until: 30_000 })
    expect(advance(stateAt('email_otp', { busy: 'send' }), wait).until).toBe(30_000)
  })

  it.each(STEPS)('that the login is over leads from %s to the beginning, with the sentence', step => {
    const now = advance(stateAt(step, { busy: 'verify' }), answer({ kind: 'over', sentence: 'Abgelaufen.' }))
    expect(now).toEqual({ ...START, sentence: 'Abgelaufen.', turn: 2 })
  })
})

describe('another way in the same step', () => {
  it('begins without what was wrong with the one before', () => {
    const stateBefore = stateAt('totp', { sentence: 'Nein.', until: 7 })
    expect(advance(stateBefore, { type: 'change' })).toEqual({ ...stateBefore, sentence: null })
  })
})

describe('the way back', () => {
  it.each(['email_input', 'totp', 'password_change', 'email_otp'] as const)(
    'leads from %s to the beginning',
    step => {
      expect(advance(stateAt(step, { sentence: 'Nein.', busy: 'send' }), BACK)).toEqual({ ...START, turn: 2 })
    },
  )

  it('leads who typed an address to it again, in the same login', () => {
    const now = advance(stateAt('email_otp', { linking: true, sent: true, until: 9 }), BACK)
    expect(now).toEqual({ ...START, step: 'email_input', ticket: 't-1', until: 9, turn: 2 })
  })

  it('leads nowhere from the beginning', () => {
    expect(advance(START, BACK)).toBe(START)
  })
})
