/** The open companies, and the chosen one. */
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import type { components } from '../../api/schema'
import { keyOf, useGet } from '../../patterns/useGet'

export type Company = components['schemas']['CompanyRow']

export const COMPANIES = keyOf('/api/companies')

export const useCompanies = () => useGet('/api/companies', {})

/** The address's parameter of the chosen company, so that all pages of a system administrator share it. */
export const COMPANY_PARAM = 'firma'

/** A page of the menu, about one company. */
export const pageAbout = (tab: string, companyId: string) =>
  `?${new URLSearchParams({ tab, [COMPANY_PARAM]: companyId })}`

/** The chosen company; null: no choice; undefined: the companies are loading, or failed to load. */
export type Chosen = Company | null | undefined

export function useChosenCompany(): [Chosen, (companyId: string | null) => void] {
  const [search, setSearch] = useSearchParams()
  const companies = useCompanies()
  const id = search.get(COMPANY_PARAM)
  const choose = useCallback(
    (companyId: string | null) =>
      setSearch(previous => {
        const next = new URLSearchParams(previous)
        if (companyId === null) next.delete(COMPANY_PARAM)
        else next.set(COMPANY_PARAM, companyId)
        return next
      }),
    [setSearch],
  )
  const chosenCompany = companies.data?.find(company => company.id === id) ?? null
  return [
    companies.data === undefined && (id !== null || companies.isError) ? undefined : chosenCompany,
    choose,
  ]
}
