/** Every feature, in the order of the menus. */
import { account } from '../features/account/feature'
import { audit } from '../features/audit/feature'
import { companies } from '../features/companies/feature'
import { devices } from '../features/devices/feature'
import type { AuditWords, Feature } from '../features/feature'
import { stamps } from '../features/stamps/feature'
import { times } from '../features/times/feature'
import { users } from '../features/users/feature'

export const FEATURES: readonly Feature[] = [
  times,
  stamps,
  devices,
  companies,
  users,
  audit(auditWords),
  account,
]

export function auditWords(): Promise<AuditWords[]> {
  return Promise.all(FEATURES.flatMap(({ auditWords: words }) => (words === undefined ? [] : [words()])))
}
