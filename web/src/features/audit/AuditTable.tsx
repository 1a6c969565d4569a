/** The log as a table: for wide windows. */
import { Table } from '../../ui/Table'
import classes from './AuditPage.module.css'
import { Changes, Hash, Moment } from './entryParts'
import { texts } from './texts'
import { type AuditEntry, actorOf, type Words } from './words'

interface AuditTableProps {
  entries: readonly AuditEntry[]
  words: Words
}

export function AuditTable({ entries, words }: AuditTableProps) {
  return (
    <Table className={classes.table} caption={texts.list}>
      <thead>
        <tr>
          <th scope="col">{texts.at}</th>
          <th scope="col">{texts.who}</th>
          <th scope="col">{texts.what}</th>
          <th scope="col">{texts.hash}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(entry => (
          <tr key={entry.id}>
            <td className={classes.when}>
              <Moment at={entry.at} />
            </td>
            <td className={classes.who}>{actorOf(entry)}</td>
            <td className={classes.what}>
              <p>{words.sentenceOf(entry)}</p>
              <Changes changes={words.changesOf(entry)} />
            </td>
            <td>
              <Hash hash={entry.hash} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
