/** What an inquiry says, in words. Pure. */
import type { components } from '../../api/schema'
import { euros, type Offer, offerTotal, PRICES } from '../../entities/offer/prices'
import { FIELDS, texts, VALUES } from './texts'

export type Inquiry = components['schemas']['InquiryRow']

interface Said {
  key: string
  label: string
  value: string
}

const textOf = ({ fields }: Inquiry, key: string) => `${fields[key] ?? ''}`.trim()

const wordFor = (key: string, value: string) => VALUES[key]?.[value] ?? value

/** Everything that was filled in, under the names that people know. What is not known goes by its own name. */
export function saidIn(inquiry: Inquiry): Said[] {
  const order = [...Object.keys(FIELDS), ...Object.keys(inquiry.fields).filter(key => !(key in FIELDS))]
  return order.flatMap(key => {
    const value = textOf(inquiry, key)
    return value === '' ? [] : [{ key, label: FIELDS[key] ?? key, value: wordFor(key, value) }]
  })
}

/** Who has sent it, as far as they say. */
export const senderOf = (inquiry: Inquiry) =>
  ['name', 'kundenname', 'email'].map(key => textOf(inquiry, key)).find(text => text !== '') ?? texts.nobody

/** In a line: what is to be offered, or how the message begins. */
export function summaryOf(inquiry: Inquiry): string {
  if (inquiry.kind === 'contact') return textOf(inquiry, 'nachricht') || textOf(inquiry, 'message')
  const { anzahl, version, branding, support } = offerIn(inquiry)
  return [
    texts.devices(anzahl, wordFor('version', version)),
    ...(branding ? [FIELDS.branding] : []),
    ...(support === 'premium' ? [`${wordFor('support', support)}-${FIELDS.support}`] : []),
  ].join(', ')
}

/** What an offer comes to; null for what is none. */
export const totalOf = (inquiry: Inquiry) =>
  inquiry.kind === 'offer' ? euros(offerTotal(offerIn(inquiry))) : null

/** What it costs besides, month by month. */
export const monthlyOf = (inquiry: Inquiry) =>
  inquiry.kind === 'offer' && inquiry.fields.hosting === 'cloud' ? euros(PRICES.cloudMonthly) : null

/** By which a mail program opens; the address is no more than an address. */
export const mailtoOf = (inquiry: Inquiry) => {
  const email = textOf(inquiry, 'email')
  return email === '' ? null : { email, href: `mailto:${encodeURIComponent(email).replace('%40', '@')}` }
}

function offerIn({ fields }: Inquiry): Offer {
  return {
    anzahl: Number(fields.anzahl),
    version: fields.version === 'quickfix' ? 'quickfix' : 'wand',
    branding: fields.branding === true,
    support: fields.support === 'premium' ? 'premium' : 'basis',
  }
}
