export const FAILED = 'Die Nachricht konnte nicht gesendet werden.'
