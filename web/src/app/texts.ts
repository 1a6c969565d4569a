/** The frame's words: navigation, hubs, notices of the session. Pages hold their own content. */
export const texts = {
  skip: 'Zum Inhalt springen',
  mainNavigation: 'Hauptnavigation',
  home: 'Stempelwerk, zur Startseite',
  menu: 'Menü',
  closeMenu: 'Menü schließen',
  login: 'Login',
  logout: 'Logout',
  produkte: 'Produkte',
  services: 'Services',
  newsletter: 'Newsletter',
  shop: 'Shop',
  aboutUs: 'Über uns',
  contact: 'Kontakt',
  imprint: 'Impressum',
  privacy: 'Datenschutz',
  checkStatement: 'Nachweis prüfen',
  dashboard: 'Dashboard',
  companyDashboard: 'Company Dashboard',
  adminPanel: 'Admin Panel',
  /** The year in which it first appeared. */
  copyright: '© 2025 Stempelwerk',

  sessionEnded: 'Deine Sitzung ist beendet.',
  unauthorized: 'Nicht autorisiert. Bitte neu einloggen.',
  sessionEndedWhy:
    'Sie ist abgelaufen oder wurde beendet: durch ein neues Passwort, eine Sperre oder ein Abmelden auf einem anderen Gerät.',
  unsentWaiting: (count: number) =>
    count === 1
      ? 'Auf diesem Gerät wartet noch 1 Änderung von dir. Sie wird nach dem Login gesendet.'
      : `Auf diesem Gerät warten noch ${count} Änderungen von dir. Sie werden nach dem Login gesendet.`,
  signedOutEverywhere: 'Du bist jetzt auf allen Geräten abgemeldet.',
  elsewhere: 'Deine Sitzung wurde in einem anderen Fenster beendet.',
  signInFirst: 'Bitte melde dich an, um weiterzumachen.',

  employeeArea: 'Mein Bereich',
  more: 'Mehr',
  signedInAs: 'Angemeldet als',
  install: 'App installieren',
  loginData: 'Login & Passwort',
  /** Between a person and their company. */
  of: ' · ',
  moduleNotFound: 'Modul nicht gefunden.',
  moduleNotFoundTitle: 'Modul nicht gefunden',
  toFirstModule: 'Zur Übersicht',
  adminHub: 'Plattform',

  updateNow: 'Jetzt aktualisieren',
  later: 'Später',

  coming: 'Wird geladen …',

  broken: 'Da ist etwas schiefgegangen.',
  brokenDetail: 'Deine Stempel sind sicher. Bitte lade die Seite neu.',
  reload: 'Seite neu laden',
} as const
