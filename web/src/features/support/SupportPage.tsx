/** "Support & Kontakt": a company's questions and the answers. */
import { useState } from 'react'
import { Form } from '../../patterns/Form'
import { Older } from '../../patterns/Older'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { filled, useForm } from '../../patterns/useForm'
import { Badge } from '../../ui/Badge'
import { Checkbox, EmailInput, Textarea, TextInput } from '../../ui/fields'
import { Card, CardList, Fold, Section } from '../../ui/layout'
import { Select } from '../../ui/Select'
import { EmptyState, SkeletonRows } from '../../ui/states'
import type { PageProps } from '../feature'
import classes from './support.module.css'
import { momentOf, Thread } from './Thread'
import { type Category, type Priority, texts } from './texts'
import { useOwn, useSend } from './useSupport'

const optionsOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

export function SupportPage({ session: { companyId } }: PageProps) {
  const ownMessages = useOwn(companyId)
  return (
    <Page title={texts.title} lead={texts.lead} offline={texts.offline}>
      <Ask companyId={companyId} />
      <Section title={texts.own}>
        <QueryView query={ownMessages.rows} failed={texts.failed} skeleton={<SkeletonRows />}>
          {asked =>
            asked.length === 0 ? (
              <EmptyState sentence={texts.none} />
            ) : (
              <CardList label={texts.own} look="joined" items={asked} keyOf={({ id }) => id}>
                {message => (
                  <Fold
                    line={
                      <span className={classes.line}>
                        <strong>{message.subject}</strong>
                        <Badge tone={message.status === 'closed' ? 'note' : 'in'}>
                          {texts.statuses[message.status]}
                        </Badge>
                        <span className="muted">{texts.answers(message.replies.length)}</span>
                        <time className="muted" dateTime={message.createdAt}>
                          {momentOf(message.createdAt)}
                        </time>
                      </span>
                    }
                  >
                    <Thread asked={message} by={texts.you} />
                  </Fold>
                )}
              </CardList>
            )
          }
        </QueryView>
        <Older list={ownMessages.list} texts={texts} />
      </Section>
    </Page>
  )
}

const BLANK = {
  subject: '',
  category: 'question' as Category,
  priority: 'normal' as Priority,
  contactEmail: '',
  message: '',
  includeLogs: true,
}

function Ask({ companyId }: { companyId: string }) {
  const [turn, setTurn] = useState(0)
  return (
    <Card title={texts.write} narrow>
      <AskForm key={turn} companyId={companyId} onSent={() => setTurn(turn + 1)} />
    </Card>
  )
}

function AskForm({ companyId, onSent }: { companyId: string; onSent: () => void }) {
  const form = useForm({
    initial: BLANK,
    rules: { subject: filled(texts.incomplete), message: filled(texts.incomplete) },
    acting: useSend(),
    input: ({ contactEmail, ...rest }) => ({
      ...rest,
      companyId,
      ...(contactEmail.trim() !== '' && { contactEmail: contactEmail.trim() }),
    }),
    onDone: () => {
      succeed(texts.sent)
      onSent()
    },
  })
  return (
    <Form form={form} buttons={texts.send}>
      <TextInput {...form.field('subject')} label={texts.subject} maxLength={200} />
      <Select {...form.field('category')} label={texts.category} data={optionsOf(texts.categories)} />
      <Select {...form.field('priority')} label={texts.priority} data={optionsOf(texts.priorities)} />
      <EmailInput {...form.field('contactEmail')} label={texts.email} />
      <Textarea {...form.field('message')} label={texts.message} rows={8} maxLength={5000} />
      <Checkbox {...form.tick('includeLogs')} label={texts.includeLogs} description={texts.includeLogsHint} />
    </Form>
  )
}
