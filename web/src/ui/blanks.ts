/** Which fields of a form nothing stands in yet, and the way to one of them. */

/** Blanks are no name, but may be somebody's password. */
export function isBlank<Name extends string>(fields: Readonly<Record<Name, string>>, name: Name): boolean {
  return (name === 'password' ? fields[name] : fields[name].trim()) === ''
}

export function focusField(form: HTMLFormElement | null, name: string) {
  const field = form?.elements.namedItem(name)
  if (field instanceof HTMLInputElement) field.focus()
}
