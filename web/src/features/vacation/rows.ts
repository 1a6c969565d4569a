/** The service's types for this page. */
import type { components } from '../../api/schema'

export type { Absence, Report } from '../../entities/absences/reports'
export type Leave = components['schemas']['RequestRow']
export type Correction = components['schemas']['CorrectionRow']
export type Around = components['schemas']['AroundDay']
