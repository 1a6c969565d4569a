import { Check } from '../../ui/icons'
import type { Feature } from '../feature'

export const vacation: Feature = {
  pages: [
    {
      area: 'company',
      key: 'absences',
      label: 'Abwesenheiten bestätigen',
      short: 'Abwesend',
      icon: Check,
      module: 'absences',
      load: async () => {
        const { DecidePage } = await import('./DecidePage')
        return ({ session }) => <DecidePage companyId={session.companyId} />
      },
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
