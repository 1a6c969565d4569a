/** An installation whose operator has entered nothing yet, as the service describes it. */
import { OPERATOR_FACTS, type Site } from '../../src/app/public/site'

const SAMPLES: Partial<Record<(typeof OPERATOR_FACTS)[number], string>> = {
  name: 'Stempelwerk (in Gründung)',
  street: 'Musterstraße 1',
  city: '12345 Musterstadt',
  country: 'Deutschland',
  email: 'kontakt@stempelwerk.example',
  privacyEmail: 'kontakt@stempelwerk.example',
  phone: '+49 30 0000000',
  phoneUri: 'tel:+49300000000',
}

export const SITE: Site = {
  origin: 'https://stempelwerk.example',
  today: '2026-11-20',
  todayText: '20. November 2026',
  inquiries: false,
  complete: false,
  operator: Object.fromEntries(
    OPERATOR_FACTS.map(name => [name, { text: SAMPLES[name] ?? 'wird ergänzt', sample: name !== 'country' }]),
  ) as Site['operator'],
}

/** One whose operator has entered everything, and whose forms reach the operator. */
export const REAL_SITE: Site = {
  ...SITE,
  inquiries: true,
  complete: true,
  operator: Object.fromEntries(
    OPERATOR_FACTS.map(name => [name, { ...SITE.operator[name], sample: false }]),
  ) as Site['operator'],
}
