import type { Feature } from '../feature'

export const costs: Feature = {
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
