export const texts = {
  title: 'Alarme',
  lead: 'Was an den Uhren aller Firmen nicht stimmt. Jeder Alarm und jede Entwarnung wird einmal per E-Mail gemeldet.',
  stopped: (version: string, channel: string) => `Rollout gestoppt: ${version} · ${channel}`,
  toUpdates: 'Zu den Updates',
  offline: 'Gezeigt wird, was zuletzt bekannt war.',
  filter: 'Anzeigen',
  open: 'Offene',
  all: 'Alle',
  noneYet: 'Es gab noch keinen Alarm.',
  more: 'Weitere laden',
  noMore: 'Das sind alle.',
  moreFailed: 'Weitere konnten nicht geladen werden.',
} as const
