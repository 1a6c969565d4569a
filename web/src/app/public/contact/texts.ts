export const FAILED = 'Die Nachricht konnte nicht gesendet werden.'
export const OUTDATED = 'Eine neue Version ist da. Bitte lade die Seite neu und sende dann noch einmal.'
