/** The open companies, and which of them is looked at. */
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import type { components } from '../../api/schema'
import { keyOf, useGet } from '../../patterns/useGet'

export type Company = components['schemas']['CompanyRow']

export const COMPANIES = keyOf('/api/companies')

export const useCompanies = () => useGet('/api/companies', {})

/** What names the chosen company in the address, so that all pages of a system administrator speak of the same. */
export const COMPANY_PARAM = 'firma'

/** A page of the menu, about one company. */
export const pageAbout = (tab: string, companyId: string) =>
  `?${new URLSearchParams({ tab, [COMPANY_PARAM]: companyId })}`

/** The chosen company; null: none is chosen; undefined: the companies are still looked up, or cannot be. */
export type Chosen = Company | null | undefined

export function useChosenCompany(): [Chosen, (companyId: string | null) => void] {
  const [search, setSearch] = useSearchParams()
  const companies = useCompanies()
  const id = search.get(COMPANY_PARAM)
  const choose = useCallback(
    (companyId: string | null) =>
      setSearch(known => {
        const next = new URLSearchParams(known)
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
