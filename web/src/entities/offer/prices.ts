/**
 * The price of an offer, in whole euros without value added tax. The only price table of the public pages and of
 * inquiries.
 */
export const PRICES = {
  /** Per device. */
  wand: 799,
  quickfix: 839,
  /** Once. */
  branding: 49,
  premium: 149,
  basis: 0,
  local: 0,
  /** The monthly price: listed, and not part of the total. */
  cloudMonthly: 15,
} as const

export interface Offer {
  anzahl: number
  version: 'wand' | 'quickfix'
  branding: boolean
  support: 'basis' | 'premium'
}

/** Devices, branding and support together, in euros. */
export function offerTotal({ anzahl, version, branding, support }: Offer): number {
  return anzahl * PRICES[version] + (branding ? PRICES.branding : 0) + PRICES[support]
}

const GERMAN = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 0 })

/** "1.598 €", with a no-break space. */
export const euros = (amount: number) => `${GERMAN.format(amount)}\u00a0€`
