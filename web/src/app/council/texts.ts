export const texts = { council: 'Betriebsrat' }
