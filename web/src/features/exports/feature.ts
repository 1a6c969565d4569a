import type { Feature } from '../feature'

export const exports: Feature = {
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
