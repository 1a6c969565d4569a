/** Generates a password that is hard to guess and easy to type: without similar letters or digits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 14
const BYTE = 256

export function generatedPassword(): string {
  let password = ''
  while (password.length < LENGTH) {
    const [byte = BYTE] = crypto.getRandomValues(new Uint8Array(1))
    // Rejects bytes above the last full multiple, which would favour some letters.
    if (byte < BYTE - (BYTE % LETTERS.length)) password += LETTERS[byte % LETTERS.length]
  }
  return password
}
