/**
 * "Abwesenheiten bestätigen": waiting absences, leave and corrections, one kind at a time, since the keys belong to one
 * list; decided ones; and entering absences. The address has the part, and the linked item.
 */
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { PARTS, type Place, placeIn } from '../../entities/absences/place'
import { fetched } from '../../patterns/fetched'
import { Page } from '../../patterns/Page'
import { Button } from '../../ui/Button'
import { Plus } from '../../ui/icons'
import { Buttons } from '../../ui/layout'
import { SkeletonRows } from '../../ui/states'
import type { PartProps } from './parts'
import { texts } from './texts'

/** Each part is fetched on navigation: they share little code. */
const fetchedPart = (load: Parameters<typeof fetched<PartProps>>[0]) =>
  fetched(load, <SkeletonRows rows={3} />)
const PART_VIEWS = {
  absences: fetchedPart(async () => (await import('./Absences')).Absences),
  requests: fetchedPart(async () => (await import('./Requests')).Requests),
  corrections: fetchedPart(async () => (await import('./Corrections')).Corrections),
  decided: fetchedPart(async () => (await import('./Decided')).Decided),
}
const EnterDialog = fetched(async () => (await import('./EnterDialog')).EnterDialog, null)

export function DecidePage({ companyId }: { companyId: string }) {
  const [search, setSearch] = useSearchParams()
  const [entering, enter] = useState(false)
  const { part, item }: Place = placeIn(search)
  const PartView = PART_VIEWS[part]
  const show = (next: Place['part']) =>
    setSearch(previous => {
      const params = new URLSearchParams(previous)
      params.set('teil', next)
      params.delete('eintrag')
      return params
    })
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <Button
          icon={<Plus size={18} />}
          aria-haspopup="dialog"
          onPointerEnter={EnterDialog.prepare}
          onFocus={EnterDialog.prepare}
          onClick={() => enter(true)}
        >
          {texts.enter}
        </Button>
      }
    >
      <Buttons>
        {PARTS.map(each => (
          <Button
            key={each}
            aria-pressed={each === part}
            onPointerEnter={PART_VIEWS[each].prepare}
            onFocus={PART_VIEWS[each].prepare}
            onClick={() => show(each)}
          >
            {texts.parts[each]}
          </Button>
        ))}
        <Link to="?tab=vacation_year">{texts.policy}</Link>
      </Buttons>
      <PartView key={`${part} ${item}`} companyId={companyId} item={item} />
      {entering && <EnterDialog companyId={companyId} onClose={() => enter(false)} />}
    </Page>
  )
}
