/** The table as cards, for phones. The same columns below each other; actions are at the foot. */
import { Fragment, memo, type ReactNode, useRef } from 'react'
import { Button } from '../../ui/Button'
import { Facts } from '../../ui/layout'
import classes from './Cards.module.css'
import type { Column } from './DataTable'
import type { Item } from './items'
import { Choose, type ListProps, nameOf } from './Rows'
import { texts } from './texts'
import { useVirtualRows } from './useVirtualRows'

const CARD_PX = 150
const GAP_PX = 12

export function Cards<Row>(props: ListProps<Row>) {
  const { caption, rows, items, columns, open, all } = props
  const list = useRef<HTMLUListElement>(null)
  const virtualRows = useVirtualRows(list, items.length, CARD_PX, all, GAP_PX)
  const sums = rows.length > 0 ? sumsOf(columns, rows) : []
  return (
    <>
      <ul
        ref={list}
        className={classes.list}
        aria-label={caption}
        style={{ paddingTop: virtualRows.before, paddingBottom: virtualRows.after }}
      >
        {virtualRows.indices.map(index => {
          const item = items[index]
          return (
            item !== undefined && (
              <li
                key={item.key}
                data-index={index}
                ref={virtualRows.measure}
                className={item.kind === 'group' ? classes.group : classes.card}
                data-joined={
                  item.kind === 'details' || (item.kind === 'row' && open.has(item.key)) || undefined
                }
              >
                <Card {...props} item={item} />
              </li>
            )
          )
        })}
      </ul>
      {sums.length > 0 && (
        <section className={classes.card} aria-label={texts.sumsOf(caption)}>
          <strong>{texts.sums}</strong>
          <Facts sums facts={sums} />
        </section>
      )}
    </>
  )
}

/** Memoized, like a table's row. */
const Card = memo(function Card<Row>({
  item,
  columns,
  details,
  open,
  onOpen,
  selection,
}: ListProps<Row> & { item: Item<Row> }): ReactNode {
  if (item.kind === 'details') return details?.(item.row)
  if (item.kind === 'group') {
    const sums = sumsOf(columns, item.rows)
    return (
      <>
        <strong>{item.title}</strong>
        {sums.length > 0 && <Facts sums facts={sums} />}
      </>
    )
  }
  const { key, row } = item
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
            {selection !== null && <Choose selection={selection} name={nameOf(columns, row)} id={key} />}
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
      {details !== undefined && (
        <Button
          look="plain"
          aria-expanded={open.has(key)}
          aria-label={texts.unfold(nameOf(columns, row))}
          onClick={() => onOpen(key)}
        >
          {texts.details}
        </Button>
      )}
    </>
  )
}) as <Row>(props: ListProps<Row> & { item: Item<Row> }) => ReactNode

const sumsOf = <Row,>(columns: readonly Column<Row>[], rows: readonly Row[]) =>
  columns.flatMap(({ head, sum }) => (sum === undefined ? [] : [{ term: head, value: sum(rows) }]))
