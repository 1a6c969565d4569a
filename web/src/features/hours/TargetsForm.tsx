/** The weekly target: no target, the same for all, or individual. */
import { asTyped, minutesFrom, steps } from '../../patterns/dated/hours'
import { texts as datedTexts } from '../../patterns/dated/texts'
import { Form } from '../../patterns/Form'
import { succeed } from '../../patterns/succeed'
import type { Acting } from '../../patterns/useAct'
import { useForm } from '../../patterns/useForm'
import { DayInput } from '../../ui/dates'
import { TextInput } from '../../ui/fields'
import { Select } from '../../ui/Select'
import { texts } from './texts'
import { type Hours, type Target, useInvalidateHours, useSaveHours, useSaveTargets } from './useHours'

const MODES = ['none', 'uniform', 'perEmployee'] as const
const WEEK_MINUTES = 7 * 24 * 60

type Typed = { mode: Hours['mode']; uniform: string; validFrom: string; of: Record<string, string> }

const wrong = (text: string) => {
  const minutes = minutesFrom(text)
  return minutes === undefined || (minutes ?? 0) < 0 || (minutes ?? 0) > WEEK_MINUTES
}

const RULES = {
  uniform: (text: string, { mode }: Typed) => mode === 'uniform' && wrong(text) && datedTexts.hoursWrong,
  of: (all: Record<string, string>, { mode }: Typed) =>
    mode === 'perEmployee' && Object.values(all).some(wrong) && datedTexts.hoursWrong,
}

interface TargetsFormProps {
  companyId: string
  known: Hours
  people: readonly Target[]
}

/**
 * Saves the mode first, then the changed targets, each only if changed. Refetches only after both: a refetch restarts
 * the form, which would drop the unsent part.
 */
function useSaving({ companyId, known, people }: TargetsFormProps) {
  const hours = useSaveHours(companyId, [])
  const targets = useSaveTargets(companyId)
  const invalidate = useInvalidateHours(companyId)
  const save = async ({ mode, uniform, of, validFrom }: Typed) => {
    const from = validFrom !== '' && { validFrom }
    const minutes = mode === 'uniform' ? (minutesFrom(uniform) ?? null) : known.uniformWeeklyTargetMinutes
    if (mode !== known.mode || minutes !== known.uniformWeeklyTargetMinutes) {
      const body = { mode, uniformWeeklyTargetMinutes: minutes, ...from }
      if ((await hours.acting.run(body)) === null) return null
    }
    const items = people
      .map(({ userId, weeklyTargetMinutes: before }) => ({
        userId,
        before,
        weeklyTargetMinutes: minutesFrom(of[userId] ?? '') ?? null,
      }))
      .filter(({ before, weeklyTargetMinutes }) => weeklyTargetMinutes !== before)
      .map(({ userId, weeklyTargetMinutes }) => ({ userId, weeklyTargetMinutes }))
    if (mode !== 'perEmployee' || items.length === 0) return {}
    return targets.acting.run({ items, ...from })
  }
  const run = async (typed: Typed) => {
    const saved = await save(typed)
    if (saved !== null) await invalidate()
    return saved
  }
  const acting: Acting<Typed, object> = {
    run,
    busy: hours.acting.busy || targets.acting.busy,
    failure: hours.acting.failure ?? targets.acting.failure,
    fields: hours.acting.failure === null ? targets.acting.fields : hours.acting.fields,
    reset: () => {
      hours.acting.reset()
      targets.acting.reset()
    },
  }
  return { acting, question: hours.question || targets.question }
}

export function TargetsForm(props: TargetsFormProps) {
  const { known, people } = props
  const { acting, question } = useSaving(props)
  const form = useForm<Typed, Typed, object>({
    initial: {
      mode: known.mode,
      uniform: asTyped(known.uniformWeeklyTargetMinutes),
      validFrom: '',
      of: Object.fromEntries(people.map(person => [person.userId, asTyped(person.weeklyTargetMinutes)])),
    },
    rules: RULES,
    acting,
    input: typed => typed,
    onDone: () => succeed(texts.saved),
  })
  const { mode, of, uniform } = form.values
  const give = (userId: string) => (text: string) => form.set('of', { ...of, [userId]: text })
  const complaint = form.field('of').error
  return (
    <>
      <Form form={form} buttons={texts.saveTargets}>
        <Select
          {...form.field('mode')}
          label={texts.mode}
          data={MODES.map(value => ({ value, label: texts.modes[value] }))}
        />
        {mode === 'uniform' && (
          <TextInput
            {...form.field('uniform')}
            {...steps(uniform, text => form.set('uniform', text))}
            label={texts.uniform}
            description={datedTexts.hoursHint}
          />
        )}
        {mode === 'perEmployee' && people.length === 0 && <p className="muted">{texts.noPeople}</p>}
        {mode === 'perEmployee' &&
          people.map(({ userId, username }) => {
            const text = of[userId] ?? ''
            return (
              <TextInput
                key={userId}
                {...steps(text, give(userId))}
                label={username}
                placeholder={datedTexts.hoursHint}
                value={text}
                onChange={event => give(userId)(event.currentTarget.value)}
                error={complaint !== undefined && wrong(text) && complaint}
              />
            )
          })}
        <DayInput
          {...form.field('validFrom')}
          label={datedTexts.validFrom}
          description={datedTexts.validFromHint}
        />
      </Form>
      {question}
    </>
  )
}
