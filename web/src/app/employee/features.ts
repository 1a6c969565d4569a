/** The features with employee pages, in menu order: all that an employee's browser needs. */
import { absences } from '../../features/absences/feature'
import { account } from '../../features/account/feature'
import { balance } from '../../features/balance/feature'
import type { Feature } from '../../features/feature'
import { messages } from '../../features/messages/feature'
import { schedule } from '../../features/schedule/feature'
import { times } from '../../features/times/feature'

export const OF_EMPLOYEES: readonly Feature[] = [schedule, absences, times, balance, messages, account]
