/** The table as cards: for phones. The same columns, one below the other; what can be done stands at the foot. */
import { Fragment, useRef } from 'react'
import classes from './Cards.module.css'
import type { Column } from './DataTable'
import type { ListProps } from './Rows'
import { useNear } from './useNear'

const CARD_PX = 150
const GAP_PX = 12

export function Cards<Row>({ caption, rows, columns, keyOf }: ListProps<Row>) {
  const list = useRef<HTMLUListElement>(null)
  const near = useNear(list, rows.length, CARD_PX, GAP_PX)
  return (
    <ul
      ref={list}
      className={classes.list}
      aria-label={caption}
      style={{ paddingTop: near.before, paddingBottom: near.after }}
    >
      {near.indices.map(index => {
        const row = rows[index]
        return (
          row !== undefined && (
            <li key={keyOf(row)} data-index={index} ref={near.measure} className={classes.card}>
              <Card row={row} columns={columns} />
            </li>
          )
        )
      })}
    </ul>
  )
}

function Card<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  const facts = columns
    .filter(({ names = false, acts = false }) => !names && !acts)
    .map(column => ({ column, content: column.cell(row) }))
    .filter(({ content }) => content !== null && content !== '')
  return (
    <>
      {columns
        .filter(({ names = false }) => names)
        .map(column => (
          <div key={column.key} className={classes.name}>
            {column.cell(row)}
          </div>
        ))}
      {facts.length > 0 && (
        <dl className={classes.facts}>
          {facts.map(({ column, content }) => (
            <Fragment key={column.key}>
              <dt>{column.head}</dt>
              <dd>{content}</dd>
            </Fragment>
          ))}
        </dl>
      )}
      {columns
        .filter(({ acts = false }) => acts)
        .map(column => (
          <div key={column.key} className={classes.acts}>
            {column.cell(row)}
          </div>
        ))}
    </>
  )
}
