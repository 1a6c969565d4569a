import type { Feature } from '../feature'

export const stamps: Feature = {
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
