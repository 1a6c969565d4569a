import type { Feature } from '../feature'

export const devices: Feature = {
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
