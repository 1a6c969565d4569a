import { monthName, monthWord, yearOf } from '../../ui/months'

/** "September, Oktober und November 2026" would hide where a year ends: "November, Dezember 2026, Januar 2027". */
function listOf(months: readonly string[]): string {
  return months
    .map((month, index) => {
      const next = months[index + 1]
      return next !== undefined && yearOf(next) === yearOf(month) ? monthWord(month) : monthName(month)
    })
    .join(', ')
}

export const texts = {
  question: 'Frühere Monate ändern?',
  alters: (months: readonly string[]) =>
    `Ändert ${months.length === 1 ? '1 Monat' : `${months.length} Monate`}: ${listOf(months)}`,
  exported: (months: readonly string[]) => `Schon exportiert: ${listOf(months)}. Exportiere danach neu.`,
  locked: (months: readonly string[]) =>
    `Gesperrt: ${listOf(months)}. Die Dateien bleiben, wie sie sind; andere Stunden erscheinen als Unterschied.`,
  again: 'Was sich daraus ergibt, wird für diese Monate neu berechnet.',
  saved: 'Gespeichert.',
  confirm: 'Trotzdem ändern',
  validFrom: 'Gilt ab',
  validFromHint: 'Leer heißt: ab heute, beim ersten Mal von Anfang an.',
  hoursHint: 'Stunden und Minuten, z. B. 38:30',
  hoursWrong: 'Bitte als Stunden und Minuten angeben, z. B. 38:30, Minuten von 0 bis 59.',
} as const
