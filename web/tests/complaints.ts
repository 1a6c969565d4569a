/** What is said to be wrong with a field, to ears as well as to eyes; null where nothing is. */
export function complaintAt(field: HTMLElement): string | null {
  if (field.getAttribute('aria-invalid') !== 'true') return null
  const told = field.getAttribute('aria-describedby')?.split(' ') ?? []
  return document.getElementById(told.find(id => id.endsWith('-error')) ?? '')?.textContent ?? null
}
