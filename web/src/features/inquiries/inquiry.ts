/** An inquiry in words. Pure. */
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

/** All filled fields, under their German labels. Unknown fields keep their own names. */
export function saidIn(inquiry: Inquiry): Said[] {
  const order = [...Object.keys(FIELDS), ...Object.keys(inquiry.fields).filter(key => !(key in FIELDS))]
  return order.flatMap(key => {
    const value = textOf(inquiry, key)
    return value === '' ? [] : [{ key, label: FIELDS[key] ?? key, value: wordFor(key, value) }]
  })
}

/** The sender, if named. */
export const senderOf = (inquiry: Inquiry) =>
  ['name', 'kundenname', 'email'].map(key => textOf(inquiry, key)).find(text => text !== '') ?? texts.nobody

/** A one-line summary: the requested offer, or the start of the message. */
export function summaryOf(inquiry: Inquiry): string {
  if (inquiry.kind === 'contact') return textOf(inquiry, 'nachricht') || textOf(inquiry, 'message')
  const { anzahl, version, branding, support } = offerIn(inquiry)
  return [
    texts.devices(anzahl, wordFor('version', version)),
    ...(branding ? [FIELDS.branding] : []),
    ...(support === 'premium' ? [`${wordFor('support', support)}-${FIELDS.support}`] : []),
  ].join(', ')
}

/** The total of an offer; null for other inquiries. */
export const totalOf = (inquiry: Inquiry) =>
  inquiry.kind === 'offer' ? euros(offerTotal(offerIn(inquiry))) : null

/** The additional monthly costs. */
export const monthlyOf = (inquiry: Inquiry) =>
  inquiry.kind === 'offer' && inquiry.fields.hosting === 'cloud' ? euros(PRICES.cloudMonthly) : null

/** The mailto link; the address cannot add other header fields. */
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
