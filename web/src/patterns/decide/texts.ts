import { dayOf, timeOf } from '../../ui/days'
import { numericDay } from '../../ui/dayText'

export const texts = {
  select: (name: string) => `Auswählen: ${name}`,
  selected: (count: number) => `${count} ausgewählt`,
  sentence: 'Begründung',
  needsSentence: 'Bitte begründe es mit einem Satz.',
  undo: 'Rückgängig',
  pending: (what: string, seconds: number) => `${what}: wird in ${seconds}\u00a0s gesendet.`,
  many: (label: string, count: number) => (count === 1 ? label : `${label} (${count})`),
  askedBack: 'Noch nicht gesendet',
  decidedMeanwhile: 'Inzwischen entschieden',
  decidedBy: (name: string, at: Date) =>
    `${name} hat am ${numericDay(dayOf(at))} um ${timeOf(at)} Uhr darüber entschieden.`,
  keys: 'Tasten',
  keyList: [
    ['j', 'Nächster Eintrag'],
    ['k', 'Voriger Eintrag'],
    ['Enter', 'Zu den Einzelheiten'],
    ['x', 'Auswählen'],
    ['z', 'Rückgängig machen, zehn Sekunden lang'],
    ['?', 'Diese Liste zeigen'],
  ] as readonly (readonly [string, string])[],
} as const
