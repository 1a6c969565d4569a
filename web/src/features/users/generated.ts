/** A password that nobody can guess and everybody can type: no letters or digits that look like others. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 14
const BYTE = 256

export function generatedPassword(): string {
  let password = ''
  while (password.length < LENGTH) {
    const [byte = BYTE] = crypto.getRandomValues(new Uint8Array(1))
    // Beyond the last whole turn some letters would come up more often than others.
    if (byte < BYTE - (BYTE % LETTERS.length)) password += LETTERS[byte % LETTERS.length]
  }
  return password
}
