/**
 * Saves settings that apply from a day on. The service first reports what the change would alter (`dryRun`); the user
 * has to confirm if it is backdated or alters past, exported or locked months.
 *
 * - put: (body, dryRun) the call; a dry run answers {months}
 * - failed: the sentence for a refusal
 * - reads: the queries to refetch afterwards
 *
 * `acting` is for a form; `question` has to be rendered somewhere on the page.
 */
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { currentDay } from '../../ui/days'
import { Alert } from '../../ui/icons'
import { currentMonth } from '../../ui/months'
import { type Acting, useAct } from '../useAct'
import { useChange } from '../useChange'
import { texts } from './texts'
import { useQuestion } from './useQuestion'

interface Altered {
  month: string
  exported: boolean
  locked: boolean
}

export function useDated<Body extends { validFrom?: string | null }>(
  put: (body: Body, dryRun: boolean) => Promise<object>,
  failed: string,
  reads: readonly QueryKey[],
): { acting: Acting<Body, object>; question: ReactNode } {
  const looking = useAct((body: Body) => put(body, true), failed)
  const saving = useChange((body: Body) => put(body, false), failed, reads)
  const { asked, ask, answer } = useQuestion<readonly Altered[]>()
  const run = async (body: Body) => {
    saving.reset()
    const would = await looking.run(body)
    if (would === null) return null
    const months = (would as { months: readonly Altered[] }).months.filter(isGrave(body))
    if (months.length > 0 && !(await ask(months))) return null
    return saving.run(body)
  }
  const acting = {
    run,
    busy: looking.busy || saving.busy,
    failure: looking.failure ?? saving.failure,
    fields: looking.failure === null ? saving.fields : looking.fields,
    reset: () => {
      looking.reset()
      saving.reset()
    },
  }
  const question = asked && (
    <ConfirmDialog
      title={texts.question}
      consequences={sentences(asked)}
      confirm={texts.confirm}
      danger={<Alert size={18} />}
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    />
  )
  return { acting, question }
}

const isGrave =
  ({ validFrom }: { validFrom?: string | null }) =>
  ({ month, exported, locked }: Altered) =>
    month < currentMonth() || exported || locked || (validFrom != null && validFrom < currentDay())

function sentences(months: readonly Altered[]): string[] {
  const monthsOf = (those: readonly Altered[]) => those.map(({ month }) => month)
  const exported = monthsOf(months.filter(month => month.exported && !month.locked))
  const locked = monthsOf(months.filter(month => month.locked))
  return [
    texts.alters(monthsOf(months)),
    texts.again,
    ...(exported.length > 0 ? [texts.exported(exported)] : []),
    ...(locked.length > 0 ? [texts.locked(locked)] : []),
  ]
}
