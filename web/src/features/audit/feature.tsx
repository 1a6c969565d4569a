import { Scroll } from '../../ui/icons'
import type { AuditWords, Feature, Page } from '../feature'

/** `wordsOfAll`: how each feature speaks of what is decided there. System administrators read that of the operator. */
export const audit = (wordsOfAll: () => Promise<readonly AuditWords[]>): Feature => ({
  pages: (['company', 'admin'] as const).map(
    (area): Page => ({
      area,
      key: 'audit',
      label: 'Änderungsprotokoll',
      short: 'Protokoll',
      icon: Scroll,
      aside: area === 'admin',
      load: async () => {
        const [{ AuditPage }, { Words }, all] = await Promise.all([
          import('./AuditPage'),
          import('./words'),
          wordsOfAll(),
        ])
        const words = new Words(all)
        return ({ session }) => <AuditPage companyId={session.companyId} words={words} />
      },
    }),
  ),
})
