/** "Meine Abwesenheiten": vacation and wishes, sick reports, and missed days. */
import { useCallback, useState } from 'react'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { texts as patternTexts } from '../../patterns/texts'
import { Plus, Thermometer } from '../../ui/icons'
import classes from './AbsencesPage.module.css'
import { AbsencesSkeleton, AccountSkeleton, RequestsSkeleton } from './AbsencesSkeleton'
import { Account } from './Account'
import { Month } from './Month'
import { Dialogs, Opener } from './Opener'
import { newRequest, newSick, type Opening } from './opening'
import { Requests } from './Requests'
import { texts } from './texts'
import { useAbsences, useLiveAbsences, usePolicy, useRequests } from './useAbsences'

interface AbsencesPageProps {
  userId: string
  month: string
  onMonth: (month: string) => void
}

export function AbsencesPage({ userId, month, onMonth }: AbsencesPageProps) {
  const policy = usePolicy(userId)
  const requests = useRequests(userId)
  const absences = useAbsences(userId, month)
  useLiveAbsences(userId)
  const [opening, open] = useState<Opening | null>(null)
  const close = useCallback(() => open(null), [])
  const savedTimes = [policy, requests, absences].flatMap(({ savedAt }) => savedAt ?? [])
  return (
    <Page
      title={texts.title}
      offline={savedTimes.length === 0 ? patternTexts.keptForLater : texts.offline}
      asOf={savedTimes.length === 0 ? null : Math.min(...savedTimes)}
    >
      {opening !== null && (
        <Dialogs
          userId={userId}
          opening={opening}
          vacationEnabled={policy.data?.vacationEnabled ?? true}
          onClose={close}
        />
      )}
      <div className={classes.head}>
        <section className={classes.account} aria-label={texts.accountTitle}>
          <QueryView query={quiet(policy)} failed={texts.policyFailed} skeleton={<AccountSkeleton />}>
            {own => <Account policy={own} />}
          </QueryView>
        </section>
        <div className={classes.acts}>
          <Opener look="primary" icon={<Plus size={20} />} onClick={() => open(newRequest())}>
            {texts.ask}
          </Opener>
          <Opener icon={<Thermometer size={20} />} onClick={() => open(newSick())}>
            {texts.reportSick}
          </Opener>
        </div>
      </div>
      <div className={classes.columns}>
        <Requests open={open}>
          {list => (
            <QueryView
              query={quiet(requests)}
              failed={texts.requestsFailed}
              offline={texts.requestsNotStored}
              skeleton={<RequestsSkeleton />}
            >
              {list}
            </QueryView>
          )}
        </Requests>
        <Month month={month} onMonth={onMonth} absences={absences.data} open={open}>
          {list => (
            <QueryView
              query={quiet(absences)}
              failed={texts.absencesFailed}
              offline={texts.absencesNotStored}
              skeleton={<AbsencesSkeleton />}
            >
              {list}
            </QueryView>
          )}
        </Month>
      </div>
    </Page>
  )
}

/** While data comes from the store, the banner is shown above it; a second error message is redundant. */
function quiet<Query extends { stored: boolean; error: unknown }>(query: Query): Query {
  return query.stored ? { ...query, error: null } : query
}
