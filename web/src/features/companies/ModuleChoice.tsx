/** A company's modules as checkboxes; unsaved changes are marked on each of them and in the footer. */
import { useCallback, useRef, useState } from 'react'
import type { Company } from '../../entities/companies/useCompanies'
import type { Module } from '../../entities/modules/useModules'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Checkbox } from '../../ui/fields'
import { Pencil } from '../../ui/icons'
import { type Hold, useHolder } from '../../ui/leaving'
import { ErrorNotice } from '../../ui/Notice'
import { Skeleton } from '../../ui/states'
import { allTo, type Draft, isOn, NO_CHANGES, outcome, ticked, unsaved, without } from './draft'
import classes from './ModuleChoice.module.css'
import { texts } from './texts'
import { useModuleChoice, useSaveModules } from './useCompany'

export function ModuleChoice({ company }: { company: Company }) {
  const choice = useModuleChoice(company.id)
  return (
    <QueryView query={choice} failed={texts.modulesFailed} skeleton={<ChoiceSkeleton />}>
      {({ all, own }) => <Choices company={company} all={all} own={own} />}
    </QueryView>
  )
}

interface ChoicesProps {
  company: Company
  all: readonly Module[]
  own: ReadonlySet<string>
}

function Choices({ company, all, own }: ChoicesProps) {
  const saving = useSaveModules(company.id)
  const [known, setDraft] = useState<Draft>(NO_CHANGES)
  const draft = unsaved(known, own)
  const ids = all.map(module => module.id)
  const chosenModules = outcome(ids, own, draft)
  const dirty = draft.size > 0
  useHeld(dirty)
  const save = async () => {
    if (!dirty) return succeed(texts.saved)
    if ((await saving.run(chosenModules)) === null) return
    setDraft(present => without(present, draft))
    succeed(texts.saveDone)
  }
  // A tick that is reverted leaves the draft, except while a save is in flight.
  const change = (next: (draft: Draft) => Draft) =>
    setDraft(present => (saving.busy ? next(present) : unsaved(next(present), own)))
  return (
    <section className={classes.card} aria-label={texts.modulesOf(company.name)}>
      <div className={classes.head}>
        <h2 className={classes.title}>{texts.modulesOf(company.name)}</h2>
        <p className={classes.note}>{texts.chosen(chosenModules.length, ids.length)}</p>
      </div>
      <fieldset className={classes.choices}>
        <legend className="visually-hidden">{texts.modules}</legend>
        {all.map(module => (
          <Choice
            key={module.id}
            module={module}
            on={isOn(own, draft, module.id)}
            changed={draft.has(module.id)}
            onTick={on => change(present => ticked(present, module.id, on))}
          />
        ))}
      </fieldset>
      <p className={classes.note}>{texts.alwaysThere}</p>
      <ErrorNotice failure={saving.failure} />
      <div className={classes.foot}>
        <p className={classes.dirty} role="status">
          {dirty && (
            <>
              <Pencil size={18} />
              {texts.unsaved(draft.size)}
            </>
          )}
        </p>
        <div>
          {dirty ? (
            <Button look="plain" disabled={saving.busy} onClick={() => change(() => NO_CHANGES)}>
              {texts.discard}
            </Button>
          ) : (
            <Button look="plain" onClick={() => change(() => allTo(chosenModules.length < ids.length, ids))}>
              {chosenModules.length < ids.length ? texts.all : texts.none}
            </Button>
          )}
          <Button look="primary" busy={saving.busy} onClick={save}>
            {texts.save}
          </Button>
        </div>
      </div>
    </section>
  )
}

/** Unsaved ticks hold the page like a form. */
function useHeld(dirty: boolean) {
  const hold = useRef<Hold | null>(null)
  hold.current = dirty ? 'ask' : null
  useHolder(useCallback(() => hold.current, []))
}

interface ChoiceProps {
  module: Module
  on: boolean
  changed: boolean
  onTick: (on: boolean) => void
}

function Choice({ module, on, changed, onTick }: ChoiceProps) {
  return (
    <Checkbox
      className={`${classes.choice} ${changed ? classes.changed : ''}`}
      checked={on}
      onChange={event => onTick(event.currentTarget.checked)}
      label={
        <span className={classes.label}>
          <span>{module.label}</span>
          {changed && <Badge tone="warn">{on ? texts.turnedOn : texts.turnedOff}</Badge>}
        </span>
      }
    />
  )
}

/** A fixed number of skeletons, since the real number is unknown. */
const BOXES = Array.from({ length: 8 }, (_, index) => `box-${index}`)

export function ChoiceSkeleton() {
  return (
    <div className={classes.card}>
      <Skeleton width={240} height={24} />
      <div className={classes.choices}>
        {BOXES.map(box => (
          <Skeleton key={box} height={64} />
        ))}
      </div>
      <div className={classes.foot}>
        <Skeleton width={180} height={20} />
      </div>
    </div>
  )
}
