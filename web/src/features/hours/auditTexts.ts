import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: {
    employment: 'Beschäftigung',
    hours: 'Arbeitszeiten und Sollzeiten',
    booking: 'Buchungen',
    free_days: 'Freie Tage',
  },
  actions: {
    'employment.changed': {
      kind: 'Beschäftigung geändert',
      sentence: name => `Die Angaben zur Beschäftigung von ${name} wurden geändert.`,
    },
    'hours.config': {
      kind: 'Arbeitszeiten eingestellt',
      sentence: () => 'Die Arbeitszeiten der Firma wurden eingestellt.',
    },
    'hours.target': {
      kind: 'Wochenstunden geändert',
      sentence: name => `Die Wochenstunden von ${name} wurden geändert.`,
    },
    'free_days.changed': {
      kind: 'Freie Tage geändert',
      sentence: () => 'Die freien Tage der Firma wurden geändert.',
    },
    'booking.made': {
      kind: 'Auf ein Konto gebucht',
      sentence: name => `Auf das Konto von ${name} wurde gebucht.`,
    },
  },
  members: {
    personnelNumber: 'Personalnummer',
    department: 'Abteilung',
    entryDate: 'Eintritt',
    exitDate: 'Austritt',
    workdays: 'Arbeitstage',
    limits: 'Schutzvorschriften',
    payType: 'Vergütung',
    openingBalanceMinutes: 'Anfangssaldo (Minuten)',
    accountFrom: 'Beginn des Zeitkontos',
    openingVacationDays: 'Resturlaub zum Beginn (Tage)',
    hoursMode: 'Sollzeit',
    uniformWeeklyTargetMinutes: 'Wochensoll für alle (Minuten)',
    openingHours: 'Öffnungszeiten',
    weeklyTargetMinutes: 'Wochensoll (Minuten)',
    minutes: 'Minuten',
    vacationDays: 'Urlaubstage',
    freeDays: 'Freie Tage',
    year: 'Jahr',
    reason: 'Grund',
  },
  values: {
    limits: { adult: 'Erwachsen', youth: 'Jugendlich', maternity: 'Mutterschutz' },
    payType: { hourly: 'Stundenlohn', monthly: 'Monatslohn' },
    hoursMode: { none: 'Keine', uniform: 'Einheitlich', perEmployee: 'Je Mitarbeiter' },
  },
}
