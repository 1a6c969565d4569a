import { Alert } from '../../ui/icons'
import type { Feature } from '../feature'

export const logs: Feature = {
  pages: [
    {
      area: 'company',
      key: 'error_log',
      label: 'Fehlerlog',
      short: 'Fehlerlog',
      icon: Alert,
      aside: true,
      module: 'error_log',
      load: async () => {
        const { LogsPage } = await import('./LogsPage')
        return ({ session }) => <LogsPage companyId={session.companyId} />
      },
    },
  ],
}
