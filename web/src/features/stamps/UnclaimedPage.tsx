/** "Stempel ohne Firma": delivered stamps that no company can claim, and assigning them to one. */
import { useState } from 'react'
import { Link } from 'react-router'
import { pageOfClock } from '../../entities/clocks/clocks'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { Button } from '../../ui/Button'
import { momentOf } from '../../ui/days'
import { Fold } from '../../ui/layout'
import { EmptyState } from '../../ui/states'
import { ReleaseDialog } from './ReleaseDialog'
import { texts } from './texts'
import { canBeReleased, type Unclaimed, useUnclaimed } from './unclaimed'

const momentText = (instant: string | null) =>
  instant === null ? texts.unknown : momentOf(new Date(instant))
const why = ({ assignment }: Unclaimed) => (assignment === null ? texts.nobodys : texts.notThen)

function columnsFor(onRelease: (one: Unclaimed) => void): Column<Unclaimed>[] {
  return [
    {
      key: 'clock',
      head: texts.clock,
      cell: ({ deviceId, deviceName }) => <Link to={pageOfClock(deviceId)}>{deviceName}</Link>,
      sortBy: ({ deviceName }) => deviceName,
      names: true,
    },
    {
      key: 'at',
      head: texts.at,
      cell: ({ takenAt }) => (takenAt === null ? texts.unknown : texts.moment(momentText(takenAt))),
      sortBy: ({ takenAt }) => takenAt ?? '',
    },
    { key: 'tag', head: texts.tag, cell: ({ tag }) => tag ?? texts.unknown, sortBy: ({ tag }) => tag ?? '' },
    {
      key: 'why',
      head: texts.why,
      cell: stamp =>
        canBeReleased(stamp) ? (
          why(stamp)
        ) : (
          <Fold line={texts.unreadable}>
            <code translate="no">{stamp.raw}</code>
          </Fold>
        ),
      text: stamp => (canBeReleased(stamp) ? why(stamp) : `${texts.unreadable}: ${stamp.raw}`),
    },
    {
      key: 'act',
      head: texts.actions,
      acts: true,
      cell: stamp =>
        canBeReleased(stamp) && (
          <Button
            aria-label={texts.releaseOf(stamp.deviceName, momentText(stamp.takenAt))}
            onClick={() => onRelease(stamp)}
          >
            {texts.release}
          </Button>
        ),
    },
  ]
}

const SHAPE = columnsFor(() => undefined)

export function UnclaimedPage() {
  const unclaimed = useUnclaimed()
  const [asked, ask] = useState<Unclaimed | null>(null)
  return (
    <Page title={texts.title} lead={texts.lead} offline={texts.offline}>
      <QueryView query={unclaimed} failed={texts.failed} skeleton={<TableSkeleton columns={SHAPE} />}>
        {rows => (
          <>
            <DataTable
              caption={texts.title}
              rows={rows}
              columns={columnsFor(ask)}
              keyOf={({ id, deviceId }) => `${deviceId} ${id}`}
              csv={texts.title}
              empty={<EmptyState sentence={texts.empty} />}
            />
            {asked !== null && (
              <ReleaseDialog
                device={{ id: asked.deviceId, serial: asked.deviceName }}
                waiting={rows}
                onClose={() => ask(null)}
              />
            )}
          </>
        )}
      </QueryView>
    </Page>
  )
}
