/** The people that publishing notifies, and publishing. */
import { api, dataOf } from '../../api/client'
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import { useChange } from '../../patterns/useChange'
import { useForm } from '../../patterns/useForm'
import { keyOf } from '../../patterns/useGet'
import { Textarea } from '../../ui/fields'
import { texts } from './texts'
import type { Roster } from './useRoster'

const MOST_LETTERS = 1000

export function PublishDialog({ roster, onClose }: { roster: Roster; onClose: () => void }) {
  const counts = new Map<string, number>()
  for (const { userId } of roster.changes.data ?? []) counts.set(userId, (counts.get(userId) ?? 0) + 1)
  const notifiedPeople = roster.people.data?.filter(({ id }) => counts.has(id)) ?? []
  const acting = useChange(
    async ({ message }: { message: string }) => {
      // Publishes the visible plan, including changes in flight.
      await roster.written()
      return dataOf(
        await api.POST('/api/companies/{companyId}/schedule/publish', {
          params: { path: { companyId: roster.companyId } },
          body: { ...roster.month, message: message.trim() || null },
        }),
      )
    },
    texts.publishFailed,
    [keyOf('/api/companies/{companyId}/schedule/changes'), keyOf('/api/companies/{companyId}/schedule')],
  )
  const form = useForm({
    initial: { message: '' },
    acting,
    input: values => values,
    onDone: answer => {
      roster.forgetHistory()
      succeed(texts.told(answer?.told ?? 0))
      onClose()
    },
  })
  return (
    <FormDialog title={texts.publishTitle} form={form} submit={texts.publishDo} onClose={onClose}>
      <p>{texts.publishLead(notifiedPeople.length)}</p>
      <ul>
        {notifiedPeople.map(({ id, username }) => (
          <li key={id}>{texts.publishLine(username, counts.get(id) ?? 0)}</li>
        ))}
      </ul>
      <Textarea
        {...form.field('message')}
        label={texts.message}
        description={texts.messageHint}
        maxLength={MOST_LETTERS}
      />
    </FormDialog>
  )
}
