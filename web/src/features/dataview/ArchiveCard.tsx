/** All data of the company as one file, with progress. */
import { useState } from 'react'
import { Export } from '../../patterns/Export'
import { useGet } from '../../patterns/useGet'
import { dayOf } from '../../ui/days'
import { Card } from '../../ui/layout'
import { writtenDay } from '../../ui/writtenDays'
import { texts } from './texts'

const ASK_MS = 1_000

export function ArchiveCard({ companyId }: { companyId: string }) {
  const [taking, take] = useState(false)
  const archives = useGet(
    '/api/companies/{id}/archives',
    { path: { id: companyId } },
    { every: taking ? ASK_MS : undefined },
  )
  const [newest] = archives.data ?? []
  const last = archives.data?.find(archive => archive.endedAt !== null)
  const file = {
    key: 'archive',
    label: texts.archiveTake,
    path: `/api/companies/${encodeURIComponent(companyId)}/archive`,
    name: 'archiv.zip',
  }
  return (
    <Card title={texts.archive} lead={texts.archiveLead} quiet>
      {last?.endedAt != null && (
        <p>{texts.archiveLast(writtenDay(dayOf(new Date(last.endedAt))), last.begunBy ?? texts.somebody)}</p>
      )}
      <Export
        files={[file]}
        failed={texts.archiveFailed}
        fetching={texts.archiveTaking(newest?.done ?? 0, newest?.of ?? 0)}
        progress={
          newest !== undefined && newest.endedAt === null && newest.of > 0 ? newest.done / newest.of : null
        }
        onBusy={busy => {
          take(busy)
          void archives.refetch()
        }}
      />
    </Card>
  )
}
