/** Every feature, in the order of the menus. */
import { absences } from '../features/absences/feature'
import { account } from '../features/account/feature'
import { alarms } from '../features/alarms/feature'
import { audit } from '../features/audit/feature'
import { balance } from '../features/balance/feature'
import { companies } from '../features/companies/feature'
import { costs } from '../features/costs/feature'
import { council } from '../features/council/feature'
import { dataView } from '../features/dataview/feature'
import { devices } from '../features/devices/feature'
import { exports } from '../features/exports/feature'
import type { AuditWords, Feature } from '../features/feature'
import { fleet } from '../features/fleet/feature'
import { hours } from '../features/hours/feature'
import { inquiries } from '../features/inquiries/feature'
import { logs } from '../features/logs/feature'
import { messages } from '../features/messages/feature'
import { monthEnd } from '../features/monthEnd/feature'
import { present } from '../features/present/feature'
import { privacy } from '../features/privacy/feature'
import { roster } from '../features/roster/feature'
import { schedule } from '../features/schedule/feature'
import { stamps } from '../features/stamps/feature'
import { support } from '../features/support/feature'
import { times } from '../features/times/feature'
import { today } from '../features/today/feature'
import { users } from '../features/users/feature'
import { vacation } from '../features/vacation/feature'
import { vacationYear } from '../features/vacation_year/feature'

export const FEATURES: readonly Feature[] = [
  today,
  present,
  roster,
  schedule,
  absences,
  vacation,
  vacationYear,
  times,
  balance,
  costs,
  hours,
  exports,
  monthEnd,
  devices,
  logs,
  council,
  privacy,
  dataView,
  companies,
  users,
  fleet,
  stamps,
  alarms,
  support,
  inquiries,
  audit(auditWords),
  messages,
  account,
]

export function auditWords(): Promise<AuditWords[]> {
  return Promise.all(FEATURES.flatMap(({ auditWords: words }) => (words === undefined ? [] : [words()])))
}
