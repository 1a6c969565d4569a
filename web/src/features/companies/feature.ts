import { Building, BuildingPlus } from '../../ui/icons'
import type { Feature } from '../feature'
import { texts } from './texts'

export const companies: Feature = {
  pages: [
    {
      area: 'admin',
      key: 'create_company',
      label: texts.createTitle,
      short: texts.createShort,
      icon: BuildingPlus,
      load: async () => (await import('./CreateCompanyPage')).CreateCompanyPage,
    },
    {
      area: 'admin',
      key: 'companies',
      label: texts.manageTitle,
      short: texts.manageShort,
      icon: Building,
      load: async () => (await import('./ManageCompaniesPage')).ManageCompaniesPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
