import { Scroll } from '../../ui/icons'
import type { AuditWords, Feature } from '../feature'

/** `wordsOfAll`: how each feature speaks of what is decided there. */
export const audit = (wordsOfAll: () => Promise<readonly AuditWords[]>): Feature => ({
  pages: [
    {
      area: 'company',
      key: 'audit',
      label: 'Änderungsprotokoll',
      short: 'Protokoll',
      icon: Scroll,
      load: async () => {
        const [{ AuditPage }, { Words }, all] = await Promise.all([
          import('./AuditPage'),
          import('./words'),
          wordsOfAll(),
        ])
        const words = new Words(all)
        return ({ session }) => <AuditPage companyId={session.companyId} words={words} />
      },
    },
  ],
})
