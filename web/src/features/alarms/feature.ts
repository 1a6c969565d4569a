import { useGet } from '../../patterns/useGet'
import { Alert } from '../../ui/icons'
import type { Feature, Waiting } from '../feature'

function useWaiting(): Waiting {
  const count =
    useGet('/api/alarms', { query: { open: true } }, { live: ['alarms_update'] }).data?.length ?? 0
  return { count, words: count === 1 ? '1 offener Alarm' : `${count} offene Alarme` }
}

export const alarms: Feature = {
  pages: [
    {
      area: 'admin',
      key: 'alarms',
      label: 'Alarme',
      short: 'Alarme',
      icon: Alert,
      useWaiting,
      load: async () => (await import('./AlarmsPage')).AlarmsPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
