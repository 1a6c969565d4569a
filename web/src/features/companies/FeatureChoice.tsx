/** A company's modules as boxes to tick; what is not saved yet can be seen on each of them and in the foot. */
import { sentenceOf } from '../../api/failures'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Check, Pencil } from '../../ui/icons'
import { ErrorNotice } from '../../ui/Notice'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { allTo, type Draft, isOn, NOTHING, outcome, ticked, unsaved, without } from './draft'
import classes from './FeatureChoice.module.css'
import { texts } from './texts'
import { type Company, type Feature, useFeatures, useSaveFeatures } from './useCompanies'

interface FeatureChoiceProps {
  company: Company
  draft: Draft
  onDraft: (change: (known: Draft) => Draft) => void
  onSaved: () => void
}

export function FeatureChoice({ company, draft, onDraft, onSaved }: FeatureChoiceProps) {
  const features = useFeatures(company.id)
  if (features.all !== null && features.own !== null) {
    const own = new Set(features.own.map(feature => feature.id))
    return (
      <Choices
        company={company}
        all={features.all}
        own={own}
        draft={unsaved(draft, own)}
        onDraft={onDraft}
        onSaved={onSaved}
      />
    )
  }
  if (features.error !== null) {
    return (
      <ErrorState
        title={texts.modulesFailed}
        detail={sentenceOf(features.error, texts.modulesFailed)}
        busy={features.loading}
        onRetry={features.reload}
      />
    )
  }
  return <ChoiceSkeleton />
}

interface ChoicesProps extends FeatureChoiceProps {
  all: readonly Feature[]
  own: ReadonlySet<string>
}

function Choices({ company, all, own, draft, onDraft, onSaved }: ChoicesProps) {
  const saving = useSaveFeatures(company.id)
  const ids = all.map(feature => feature.id)
  const chosen = outcome(ids, own, draft)
  const dirty = draft.size > 0
  const save = async () => {
    if ((await saving.run(chosen)) === null) return
    onDraft(known => without(known, draft))
    onSaved()
  }
  // What is ticked back is forgotten, but not while the answer to it is still under way.
  const change = (next: (known: Draft) => Draft) =>
    onDraft(known => (saving.busy ? next(known) : unsaved(next(known), own)))
  return (
    <section className={classes.card} aria-label={texts.modulesOf(company.name)}>
      <div className={classes.head}>
        <h2 className={classes.title}>{texts.modulesOf(company.name)}</h2>
        <p className={classes.note}>{texts.chosen(chosen.length, ids.length)}</p>
      </div>
      <fieldset className={classes.choices}>
        <legend className="visually-hidden">{texts.modules}</legend>
        {all.map(feature => (
          <Choice
            key={feature.id}
            feature={feature}
            on={isOn(own, draft, feature.id)}
            changed={draft.has(feature.id)}
            onTick={on => change(known => ticked(known, feature.id, on))}
          />
        ))}
      </fieldset>
      <p className={classes.note}>{texts.alwaysThere}</p>
      <ErrorNotice failure={saving.failure} />
      <div className={classes.foot}>
        <p className={`${classes.state} ${dirty ? classes.dirty : ''}`} role="status">
          {dirty ? <Pencil size={18} /> : <Check size={18} />}
          {dirty ? texts.unsaved(draft.size) : texts.saved}
        </p>
        <div>
          {dirty ? (
            <Button look="plain" disabled={saving.busy} onClick={() => change(() => NOTHING)}>
              {texts.discard}
            </Button>
          ) : (
            <Button look="plain" onClick={() => change(() => allTo(chosen.length < ids.length, ids))}>
              {chosen.length < ids.length ? texts.all : texts.none}
            </Button>
          )}
          {/* Not `disabled`: it keeps the focus when there is nothing to save any more. */}
          <Button look="primary" aria-disabled={!dirty} busy={saving.busy} onClick={dirty ? save : undefined}>
            {texts.save}
          </Button>
        </div>
      </div>
    </section>
  )
}

interface ChoiceProps {
  feature: Feature
  on: boolean
  changed: boolean
  onTick: (on: boolean) => void
}

function Choice({ feature, on, changed, onTick }: ChoiceProps) {
  return (
    <label className={`${classes.choice} ${changed ? classes.changed : ''}`}>
      <input type="checkbox" checked={on} onChange={event => onTick(event.currentTarget.checked)} />
      <span className={classes.label}>{feature.label}</span>
      {changed && <Badge tone="warn">{on ? texts.turnedOn : texts.turnedOff}</Badge>}
    </label>
  )
}

/** Not as many as there are, which is not known yet: only their shape. */
const BOXES = Array.from({ length: 8 }, (_, index) => `box-${index}`)

export function ChoiceSkeleton() {
  return (
    <Loading>
      <div className={classes.card}>
        <Skeleton width={240} height={24} />
        <div className={classes.choices}>
          {BOXES.map(box => (
            <Skeleton key={box} height={52} />
          ))}
        </div>
        <div className={classes.foot}>
          <Skeleton width={180} height={20} />
        </div>
      </div>
    </Loading>
  )
}
