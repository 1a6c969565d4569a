/** A clock that lost its network for a while, and one whose reader is gone. */
import type { Sample } from '../feature'
import type { LogLine } from './useLogs'

const line = (
  id: number,
  level: string,
  code: string,
  message: string,
  more: Partial<LogLine> = {},
): LogLine => ({
  id: `l-${id}`,
  createdAt: `2026-11-20T0${9 - id}:1${id}:03.214Z`,
  serial: 'SW-0417',
  deviceId: 'd-1',
  code,
  message,
  meta: null,
  level,
  ...more,
})

export const LINES: readonly LogLine[] = [
  line(0, 'warn', 'reader_absent', 'the reader is absent', { serial: 'SW-0902', deviceId: 'd-2' }),
  line(1, 'info', 'online', 'the cloud answers'),
  line(2, 'warn', 'offline', 'Unreachable: the name server does not answer', { meta: {} }),
  line(3, 'error', 'stamps_lost', 'Die Stempeluhr hat Stempel endgültig verloren.', {
    meta: { epoch: '6f1c2a', rows: [[812, 815]] },
  }),
  line(4, 'info', 'started', 'version 1.4.0', { serial: '', deviceId: '0192f7c4' }),
]

export const ERRORS = LINES.filter(({ level }) => level === 'error')

export const samples: readonly Sample[] = [
  {
    page: { area: 'company', key: 'error_log', module: 'error_log' },
    answers: {
      'GET /api/companies/c-1/device-logs': LINES,
      'GET /api/companies/c-1/device-logs?level=error&limit=200&q=': ERRORS,
    },
    shows: 'Der Leser für die Chips ist nicht da.',
  },
]
