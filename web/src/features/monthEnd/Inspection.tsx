/** The authority's export: all working days of a period, as one file. */
import { useState } from 'react'
import { Export } from '../../patterns/Export'
import { DayInput } from '../../ui/dates'
import { addDays } from '../../ui/days'
import { Card } from '../../ui/layout'
import { addMonths } from '../../ui/months'
import { texts } from './texts'
import { paths } from './useMonthEnd'

export function Inspection({ companyId, month }: { companyId: string; month: string }) {
  const [from, setFrom] = useState(`${month}-01`)
  const [to, setTo] = useState(addDays(`${addMonths(month, 1)}-01`, -1))
  const files = (['pdf', 'csv'] as const).map(format => ({
    key: format,
    label: texts.inspect[format],
    path: paths.inspection(companyId, from, to, format),
    name: `inspection_${from}_${to}.${format}`,
  }))
  return (
    <Card title={texts.inspection} lead={texts.inspectionLead}>
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: '12px 16px', marginBottom: 12 }}>
        <DayInput label={texts.from} value={from} onChange={setFrom} max={to || undefined} />
        <DayInput label={texts.until} value={to} onChange={setTo} min={from || undefined} />
      </div>
      {from === '' || to === '' ? (
        <p className="muted">{texts.inspectionNeeds}</p>
      ) : (
        <Export files={files} failed={texts.downloadFailed} />
      )}
    </Card>
  )
}
