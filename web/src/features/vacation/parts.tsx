/** Common parts of this page's lists. */
import { PersonLink } from '../../entities/people/PersonLink'
import { EmptyState } from '../../ui/states'
import { texts } from './texts'

export interface PartProps {
  companyId: string
  /** The id of the linked item. */
  item: string | undefined
}

/** The same order as on "Heute". */
export const oldestFirst = <Row,>(rows: readonly Row[], since: (row: Row) => string) =>
  [...rows].sort((a, b) => since(a).localeCompare(since(b)))

export const line = (name: string, more: string) => (
  <span>
    <strong>{name}</strong>
    <br />
    <span className="muted">{more}</span>
  </span>
)

export const common = {
  failed: texts.failed,
  empty: <EmptyState sentence={texts.nothing} />,
}

/** The person, above the facts for the decision. */
export const PersonName = ({ userId, username }: { userId: string; username: string }) => (
  <h2>
    <PersonLink userId={userId} username={username} />
  </h2>
)
