/** The order of the company's menu: daily, planning and monthly pages; the rest below, in declaration order. */
import { texts } from './texts'

const GROUPS: readonly { title: string; keys: readonly string[] }[] = [
  { title: texts.groupDay, keys: ['today', 'present', 'review'] },
  {
    title: texts.groupPlan,
    keys: ['schedule', 'absences', 'vacation_year', 'leave_calendar', 'manage_employees'],
  },
  { title: texts.groupMonth, keys: ['monthly_mail', 'accounts', 'costs'] },
]
const BELOW = [
  'hours_config',
  'devices',
  'error_log',
  'privacy',
  'data_view',
  'audit',
  'support',
  'messages',
  'login',
]
/** On a phone's bar, if enabled. */
const ON_THE_BAR = ['today', 'present', 'absences', 'schedule']

/** In the menu's order, each with its `group`; secondary entries are `small`. */
export function arranged<Module extends { key: string; aside?: boolean }>(modules: readonly Module[]) {
  const grouped = GROUPS.flatMap(({ title, keys }) =>
    picked(modules, keys).map(module => ({ ...module, group: title })),
  )
  const groupedKeys = new Set(GROUPS.flatMap(({ keys }) => keys))
  const ungrouped = modules.filter(({ key }) => !groupedKeys.has(key))
  const preferred = picked(ungrouped, BELOW)
  const below = [...preferred, ...ungrouped.filter(module => !preferred.includes(module))].map(module => ({
    ...module,
    small: true,
  }))
  const all = [...grouped, ...below]
  const first = picked(all, ON_THE_BAR)
  const bar = [...first, ...all.filter(one => !first.includes(one) && one.aside !== true)].slice(0, 4)
  return all.map(one => ({ ...one, aside: !bar.includes(one) }))
}

const picked = <Module extends { key: string }>(modules: readonly Module[], keys: readonly string[]) =>
  keys.flatMap(wanted => modules.filter(({ key }) => key === wanted))
