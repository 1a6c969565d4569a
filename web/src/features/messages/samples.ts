/** A hand-over to answer, an inbox with an answer of each kind, and the choice of notices. */
import type { components } from '../../api/schema'
import type { Sample } from '../feature'

type Message = components['schemas']['MessageRow']

const OFFERS: components['schemas']['OfferedRow'][] = [
  {
    id: 'o-1',
    requesterName: 'Jonas Weber',
    date: '2026-11-24',
    createdAt: '2026-11-20T06:58:03.214Z',
    start: '07:00',
    end: '15:30',
  },
  {
    id: 'o-2',
    requesterName: 'Maximiliane-Charlotte von Hohenstein-Schlüterburg',
    date: '2026-12-02',
    createdAt: '2026-11-19T15:20:00.000Z',
    start: null,
    end: null,
  },
]

export const MESSAGES: Message[] = [
  {
    id: 'm-1',
    type: 'vacation_response',
    title: 'Urlaub genehmigt',
    body: 'Dein Urlaub vom 21. bis 24. Dezember 2026 wurde genehmigt. Anmerkung: „Bitte vorher den Schlüssel abgeben.“',
    createdAt: '2026-11-20T06:58:03.214Z',
    payload: { status: 'approved', kind: 'vacation', startDate: '2026-12-21', endDate: '2026-12-24' },
  },
  {
    id: 'm-2',
    type: 'handoff_response',
    title: 'Übergabe abgelehnt',
    body: 'Tom Richter kann deinen Dienst am 25. November 2026 nicht übernehmen.',
    createdAt: '2026-11-19T15:20:00.000Z',
    payload: { status: 'declined', date: '2026-11-25' },
  },
  {
    id: 'm-3',
    type: 'schedule',
    title: 'Dein Dienstplan hat sich geändert',
    body: 'Bitte sieh in „Meine Termine“ nach, an welchen Tagen du Dienst hast.',
    createdAt: '2026-11-16T09:02:00.000Z',
    payload: { dates: ['2026-11-23', '2026-11-24'] },
  },
  {
    id: 'm-4',
    type: 'correction_response',
    title: 'Zeitkorrektur abgelehnt',
    body: 'Dein Korrekturantrag für den 4. November 2026 wurde abgelehnt.',
    createdAt: '2026-11-12T12:31:00.000Z',
    payload: { status: 'rejected', date: '2026-11-04' },
  },
  {
    id: 'm-5',
    type: 'booking',
    title: 'Buchung auf deinem Konto',
    body: '+2h 30m zum 31. Oktober 2026: Inventur am Samstag',
    createdAt: '2025-12-30T08:00:00.000Z',
    payload: { bookingId: 'b-1', date: '2026-10-31', minutes: 150 },
  },
]

const REQUESTS: Message[] = [
  {
    id: 'm-6',
    type: 'request',
    title: 'Neuer Antrag: Urlaub',
    body: 'Mia Sommer beantragt Urlaub vom 21. bis 24. Dezember 2026.',
    createdAt: '2026-11-20T06:58:03.214Z',
    payload: { what: 'vacation', startDate: '2026-12-21', endDate: '2026-12-24' },
  },
  {
    id: 'm-7',
    type: 'handoff',
    title: 'Dienst übergeben',
    body: 'Tom Richter übernimmt den Dienst von Mia Sommer am 24. November 2026.',
    createdAt: '2026-11-19T15:20:00.000Z',
    payload: { status: 'accepted', date: '2026-11-24' },
  },
]

const ALL_OFF = { handoff: false, decisions: false, schedule: false, requests: false }

export const NOTICES: components['schemas']['NoticesRow'] = {
  push: ALL_OFF,
  mail: { ...ALL_OFF, decisions: true },
  publicKey: 'BAx7AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  mailAddress: 'm…@holm.example',
  pushAvailable: true,
  mailAvailable: true,
  subscriptions: [],
}

export const samples: readonly Sample[] = [
  {
    page: { area: 'employee', key: 'my_messages' },
    answers: {
      'GET /api/schedule/swap-requests': OFFERS,
      'GET /api/messages': MESSAGES,
      'GET /api/notifications': NOTICES,
    },
    shows: 'Benachrichtigungen',
  },
  {
    page: { area: 'company', key: 'messages' },
    answers: {
      'GET /api/messages': REQUESTS,
      'GET /api/notifications': { ...NOTICES, mail: ALL_OFF, mailAddress: null },
    },
    shows: 'Benachrichtigungen',
  },
]
