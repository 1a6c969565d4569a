import { useStopped } from '../../entities/rollouts/useStopped'
import { Chip, Clock, Download, Layers } from '../../ui/icons'
import type { Feature, Waiting } from '../feature'

function useWaiting(): Waiting {
  const count = useStopped().length
  return { count, words: count === 1 ? '1 gestoppter Rollout' : `${count} gestoppte Rollouts` }
}

export const fleet: Feature = {
  auditWords: async () => (await import('./auditTexts')).auditTexts,
  pages: [
    {
      area: 'admin',
      key: 'registry',
      label: 'Geräteverzeichnis',
      short: 'Geräte',
      icon: Chip,
      load: async () => (await import('./RegistryPage')).RegistryPage,
    },
    {
      area: 'admin',
      key: 'clocks',
      label: 'Uhrenübersicht',
      short: 'Uhren',
      icon: Clock,
      aside: true,
      load: async () => (await import('./ClocksPages')).OverviewPage,
    },
    {
      area: 'admin',
      key: 'updates',
      label: 'Globale Updates',
      short: 'Updates',
      icon: Download,
      aside: true,
      useWaiting,
      load: async () => (await import('./ClocksPages')).UpdatesPage,
    },
    {
      area: 'admin',
      key: 'company_channel',
      label: 'Update-Kanal je Firma',
      short: 'Kanal',
      icon: Layers,
      aside: true,
      load: async () => (await import('./ClocksPages')).CompanyChannelPage,
    },
  ],
}
