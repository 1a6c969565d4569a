/** Sends the contact form's message; fetched with the first one. */
import { anonymous } from '../../../api/client'
import { Refused, sentenceOf } from '../../../api/failures'
import type { Failure } from '../../../ui/Notice'
import { FAILED } from './texts'

interface Message {
  name: string
  email: string
  nachricht: string
}

/** Null after success; else the service's error. */
export async function sendMessage(
  fields: Message,
): Promise<{ fields: Readonly<Record<string, string>>; failure: Failure } | null> {
  const { response, error } = await anonymous.POST('/api/inquiries', { body: { kind: 'contact', fields } })
  if (response.ok) return null
  const refused = new Refused(response.status, error, response.headers)
  return { fields: refused.fields, failure: { title: FAILED, detail: sentenceOf(refused, FAILED) } }
}
