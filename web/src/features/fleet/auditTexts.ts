import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { update: 'Updates der Uhren', rollout: 'Rollouts' },
  actions: {
    'update.published': {
      kind: 'Updates veröffentlicht',
      sentence: () => 'Unterschriebene Updates für Uhren wurden veröffentlicht.',
    },
    'update.withdrawn': {
      kind: 'Version zurückgezogen',
      sentence: (_, after) => `Version ${String(after?.version ?? '')} der Uhren wurde zurückgezogen.`,
    },
    'rollout.started': {
      kind: 'Rollout gestartet',
      sentence: (name, after) =>
        `Der Rollout von ${name} wurde gestartet${after?.now === true ? '; die Uhren wechseln sofort' : ''}.`,
      nameless: 'Ein Rollout wurde gestartet.',
    },
    'rollout.paused': {
      kind: 'Rollout angehalten',
      sentence: name => `Der Rollout von ${name} wurde angehalten.`,
      nameless: 'Ein Rollout wurde angehalten.',
    },
    'rollout.resumed': {
      kind: 'Rollout fortgesetzt',
      sentence: name => `Der Rollout von ${name} wurde fortgesetzt.`,
      nameless: 'Ein Rollout wurde fortgesetzt.',
    },
    'rollout.stopped': {
      kind: 'Rollout gestoppt',
      sentence: name => `Der Rollout von ${name} wurde gestoppt.`,
      nameless: 'Ein Rollout wurde gestoppt.',
    },
    'rollout.done': {
      kind: 'Rollout abgeschlossen',
      sentence: name => `Der Rollout von ${name} hat alle Uhren erreicht.`,
      nameless: 'Ein Rollout hat alle Uhren erreicht.',
    },
    'rollout.rolled_back': {
      kind: 'Rollout zurückgerollt',
      sentence: name => `Der Rollout von ${name} wurde zurückgerollt.`,
      nameless: 'Ein Rollout wurde zurückgerollt.',
    },
  },
  members: { root: 'Wurzel', fingerprint: 'Fingerabdruck', versions: 'Neue Versionen' },
}
