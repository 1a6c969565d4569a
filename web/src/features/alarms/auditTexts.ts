import { texts } from '../../entities/alarms/texts'
import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { alarm: 'Alarme' },
  actions: {
    'alarm.acknowledged': {
      kind: 'Alarm bestätigt',
      sentence: () => 'Ein Alarm wurde bestätigt.',
    },
    'alarm.settings': {
      kind: 'Alarme eingestellt',
      sentence: () => 'Die Einstellungen der Alarme wurden geändert.',
    },
  },
  members: {
    mail: texts.mail,
    quietFrom: texts.quietFrom,
    quietTo: texts.quietTo,
    kinds: texts.kindsLegend,
  },
}
