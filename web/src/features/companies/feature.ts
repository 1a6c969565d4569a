import { Building, BuildingPlus } from '../../ui/icons'
import type { Feature } from '../feature'

export const companies: Feature = {
  pages: [
    {
      area: 'admin',
      key: 'create_company',
      label: 'Firma anlegen',
      short: 'Anlegen',
      icon: BuildingPlus,
      load: async () => (await import('./CreateCompanyPage')).CreateCompanyPage,
    },
    {
      area: 'admin',
      key: 'companies',
      label: 'Firmen verwalten',
      short: 'Firmen',
      icon: Building,
      load: async () => (await import('./ManageCompaniesPage')).ManageCompaniesPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
