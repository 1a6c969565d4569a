import { Scroll, Shield } from '../../ui/icons'
import type { AuditWords, Feature } from '../feature'

const LOG_ENTRY = { key: 'audit', label: 'Änderungsprotokoll', short: 'Protokoll', icon: Scroll }

type WordsOfAll = () => Promise<readonly AuditWords[]>

/** `wordsOfAll`: the words of all features. System administrators read the operator's log. */
export const audit = (wordsOfAll: WordsOfAll): Feature => ({
  pages: [
    { ...LOG_ENTRY, area: 'company', load: () => worded(import('./AuditPage'), wordsOfAll) },
    { ...LOG_ENTRY, area: 'admin', aside: true, load: () => worded(import('./AuditPage'), wordsOfAll) },
    {
      area: 'admin',
      key: 'operators',
      label: 'Betreiberprotokoll',
      short: 'Betreiber',
      icon: Shield,
      aside: true,
      load: () => operators(import('./OperatorLogPage'), wordsOfAll),
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
})

async function worded(coming: Promise<typeof import('./AuditPage')>, wordsOfAll: WordsOfAll) {
  const [{ AuditPage }, { Words }, all] = await Promise.all([coming, import('./words'), wordsOfAll()])
  const words = new Words(all)
  return ({ session }: { session: { companyId: string } }) => (
    <AuditPage companyId={session.companyId} words={words} />
  )
}

async function operators(coming: Promise<typeof import('./OperatorLogPage')>, wordsOfAll: WordsOfAll) {
  const [{ OperatorLogPage }, { Words }, all] = await Promise.all([coming, import('./words'), wordsOfAll()])
  const words = new Words(all)
  return () => <OperatorLogPage words={words} />
}
