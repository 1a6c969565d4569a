/** A thread of questions and answers, oldest first, with a reply form. */
import { Form } from '../../patterns/Form'
import { succeed } from '../../patterns/succeed'
import { filled, useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { dayOf, longDay, timeOf } from '../../ui/days'
import { Textarea } from '../../ui/fields'
import { Buttons, CardList } from '../../ui/layout'
import classes from './support.module.css'
import { texts } from './texts'
import { type OpenQuestion, useReply } from './useSupport'

export const momentOf = (at: string) => texts.moment(longDay(dayOf(new Date(at))), timeOf(new Date(at)))

export function Thread({ asked, by }: { asked: OpenQuestion; by: string }) {
  const posts = [{ at: asked.createdAt, by, message: asked.message }, ...asked.replies]
  return (
    <>
      <CardList look="plain" items={posts} keyOf={post => `${post.at} ${post.by} ${post.message}`}>
        {post => (
          <div className={classes.said}>
            <p className="muted">{texts.says(post.by, momentOf(post.at))}</p>
            <p className={classes.words}>{post.message}</p>
          </div>
        )}
      </CardList>
      <Reply id={asked.id} />
    </>
  )
}

function Reply({ id }: { id: string }) {
  const form = useForm({
    initial: { message: '' },
    rules: { message: filled(texts.replyMissing) },
    acting: useReply(id),
    input: ({ message }) => ({ message: message.trim() }),
    onDone: () => {
      succeed(texts.replied)
      form.restart()
    },
  })
  return (
    <Form
      form={form}
      buttons={
        <Buttons>
          <Button type="submit" busy={form.busy}>
            {texts.sendReply}
          </Button>
        </Buttons>
      }
    >
      <Textarea {...form.field('message')} label={texts.reply} rows={3} maxLength={5000} />
    </Form>
  )
}
