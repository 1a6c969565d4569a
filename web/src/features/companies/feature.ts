import type { Feature } from '../feature'

export const companies: Feature = {
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
