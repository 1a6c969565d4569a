const count = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 2 })

/** "14,5 Tage", "−1 Tag": a number of days of leave; zero has no minus. */
export const dayCount = (days: number) =>
  `${count.format(days || 0).replace('-', '−')}\u00a0${Math.abs(days) === 1 ? 'Tag' : 'Tage'}`
