/** Components of the privacy statement's sections. */
import type { ReactNode } from 'react'
import classes from '../legal.module.css'
import { isEnforced, lasting, type Name } from '../periods'

export interface Section {
  /** Its anchor: published links refer to it. */
  id: string
  title: string
  content: ReactNode
}

/** A retention period, as in the table of all periods. */
export function Period({ of }: { of: Name }) {
  return (
    <span className={classes.period}>
      {lasting(of)}
      {!isEnforced(of) && ' (vorgesehen)'}
    </span>
  )
}

interface SheetProps {
  caption: string
  heads: readonly [string, string]
  rows: readonly (readonly [ReactNode, ReactNode])[]
}

/** A table of two columns: the subject and its description. */
export function Sheet({ caption, heads, rows }: SheetProps) {
  return (
    <table className={classes.sheet}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {heads.map(head => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, said], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are written down and stay in their order
          <tr key={index}>
            <th scope="row">{what}</th>
            <td>{said}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
