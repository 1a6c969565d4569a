/**
 * Retention periods. The figures are in `periods.json`, and a test compares them with the service's code
 * (`tools/tests/test_privacy_periods.py`). Periods that no code enforces are marked `enforced: false`, and the text
 * calls them "vorgesehen"; `least` is the minimum.
 */
import periods from './periods.json'

export type Name = keyof typeof periods

/** The nominative and dative forms of each unit. */
const UNITS = {
  minutes: ['Minuten', 'Minuten'],
  hours: ['Stunden', 'Stunden'],
  days: ['Tage', 'Tagen'],
  months: ['Monate', 'Monaten'],
  years: ['Jahre', 'Jahren'],
} as const

type Period = { readonly [unit in keyof typeof UNITS]?: number } & { readonly enforced?: boolean }

const all: Readonly<Record<Name, Period>> = periods

export const NAMES = Object.keys(all) as Name[]

export const isEnforced = (name: Name) => all[name].enforced !== false

/** "30 Tage", in one line. */
export const lasting = (name: Name) => periodText(name, 0)

/** "(nach) 30 Tagen", in one line. */
export const elapsed = (name: Name) => periodText(name, 1)

function periodText(name: Name, form: 0 | 1): string {
  for (const [unit, forms] of Object.entries(UNITS)) {
    const number = all[name][unit as keyof typeof UNITS]
    if (number !== undefined) return `${number}\u00a0${forms[form]}`
  }
  throw new Error(`${name} has no length`)
}
