import type { AuditWords } from '../feature'

/** The events that the operator log alone has. */
export const auditTexts: AuditWords = {
  groups: { login: 'Anmeldungen', server: 'Befehle auf dem Server' },
  actions: {
    'login.succeeded': { kind: 'Angemeldet', sentence: name => `${name} hat sich angemeldet.` },
    'login.password_right': {
      kind: 'Passwort richtig',
      sentence: name =>
        `Richtiges Passwort für ${name}; zur Anmeldung fehlt noch ein Schritt. Folgt keine Anmeldung und warst du es nicht, ändere das Passwort.`,
    },
    'login.failed': {
      kind: 'Anmeldung gescheitert',
      sentence: name => `Anmeldung als ${name} ist gescheitert.`,
    },
    'login.paused': {
      kind: 'Anmeldung gebremst',
      sentence: name =>
        `Zu viele falsche Passwörter für ${name}: Weitere Versuche müssen jetzt warten. Warst du es nicht, ändere das Passwort.`,
    },
    'login.locked': {
      kind: 'Anmeldung an gesperrtem Konto',
      sentence: name => `Anmeldung als ${name} mit richtigem Passwort; das Konto ist gesperrt.`,
    },
    'login.code_failed': {
      kind: 'Falscher Code',
      sentence: name => `Falscher Code bei der Anmeldung als ${name}; das Passwort war richtig.`,
    },
    'login.device_remembered': {
      kind: 'Gerät gemerkt',
      sentence: name => `${name} hat ein Gerät merken lassen; 30 Tage lang braucht es dort keinen Code.`,
    },
    'update.root_accepted': {
      kind: 'Schlüssel der Updates gewechselt',
      sentence: name => `Eine neue Wurzel für die Updates der Uhren gilt: ${name}.`,
    },
    'server.time_confirmed': {
      kind: 'Uhrzeit bestätigt',
      sentence: () => 'Die Uhrzeit des Servers wurde bestätigt.',
    },
    'server.restored': {
      kind: 'Sicherung eingespielt',
      sentence: name => `Die Sicherung „${name}“ wurde eingespielt.`,
    },
    'server.key_made': {
      kind: 'Schlüssel erzeugt',
      sentence: name => `Ein neuer Schlüssel wurde erzeugt: ${name}.`,
    },
    'server.key_forgotten': {
      kind: 'Schlüssel aufgegeben',
      sentence: name => `Der verlorene Schlüssel ${name} wurde aufgegeben.`,
    },
  },
}
