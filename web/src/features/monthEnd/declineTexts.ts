/** The target of the link in each monthly mail. Its readers have no login, and do not know the product. */
export const texts = {
  title: 'E-Mails abbestellen',
  /** The link is truncated. */
  noToken: 'Dieser Link ist unvollständig. Öffne ihn noch einmal aus der E-Mail.',
  unchecked: 'Der Link konnte nicht geprüft werden.',
  about: (company: string, recipient: string) =>
    `${company} schickt die Arbeitszeiten jedes Monats an ${recipient}.`,
  consequence: (company: string) =>
    `Bestellst du ab, bekommt diese Adresse keine solche E-Mail mehr von ${company}. Die Firma sieht das und kann es nicht ändern.`,
  decline: 'Abbestellen',
  declined: 'Erledigt, du hast abbestellt.',
  declinedAbout: (company: string, recipient: string) =>
    `${company} schickt keine Arbeitszeiten mehr an ${recipient}. War eine E-Mail gerade unterwegs, kommt sie noch an.`,
  mistake: 'Das war ein Versehen? Über denselben Link bekommst du die E-Mails jederzeit wieder.',
  resume: 'Doch wieder bekommen',
  resumed: 'Erledigt, du bekommst die E-Mails wieder.',
  failed: 'Das hat nicht geklappt.',
} as const
