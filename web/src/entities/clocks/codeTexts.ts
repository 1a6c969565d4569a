/** The meanings of the lines of a clock's log, and the actions to take. */

export interface CodeWords {
  /** The event. */
  says: string
  /** The action to take. */
  todo: string
}

const NOTHING_TO_DO = 'Du musst nichts tun.'
const ITSELF = 'Die Uhr versucht es von selbst weiter. Kommt die Zeile immer wieder, sieh nach ihrem Netz.'
const CARD =
  'Starte die Uhr neu. Kommt die Zeile wieder, ist die Speicherkarte am Ende: Lass sie tauschen und stempele so lange an einer anderen Uhr.'
const SUPPORT = 'Melde dich unter Support & Kontakt und schick diese Zeile mit.'

/** Texts by log code of clocks and of the service about clocks. `codes.test.ts` finds missing ones. */
export const codeTexts: Readonly<Record<string, CodeWords>> = {
  started: {
    says: 'Die Uhr ist gestartet.',
    todo: 'Nichts, außer sie startet oft: Dann prüfe ihre Stromversorgung.',
  },
  online: { says: 'Die Uhr erreicht den Server wieder.', todo: NOTHING_TO_DO },
  offline: {
    says: 'Die Uhr erreicht den Server nicht. Stempeln geht weiter, sie liefert nach.',
    todo: 'Bleibt es länger als eine Stunde so, prüfe Netz und Router am Standort.',
  },
  not_connected: {
    says: 'Der Server nimmt diese Uhr nicht an.',
    todo: 'Prüfe, ob ihre Uhrzeit stimmt und ob sie deiner Firma noch zugeordnet ist. Sonst melde dich unter Support & Kontakt.',
  },
  enrolled: { says: 'Die Uhr hat sich am Server angemeldet.', todo: NOTHING_TO_DO },
  enrolment_refused: { says: 'Der Server hat die Anmeldung der Uhr abgelehnt.', todo: SUPPORT },
  assignment: {
    says: 'Die Zuordnung der Uhr zu einer Firma hat sich geändert.',
    todo: 'Prüfe unter Geräte verwalten, ob die Uhr dort steht, wo du sie erwartest.',
  },
  another_server: {
    says: 'Die Uhr spricht mit einem anderen Server als zuvor.',
    todo: 'Nach einem Umzug ist das richtig. Sonst melde dich unter Support & Kontakt.',
  },
  cloud_set_back: {
    says: 'Der Server ist auf einem früheren Stand; die Stempeluhr liefert nach, was ihm fehlt.',
    todo: NOTHING_TO_DO,
  },
  another_past: {
    says: 'Server und Uhr waren sich über das Gelieferte nicht einig; die Uhr liefert alles noch einmal.',
    todo: NOTHING_TO_DO,
  },
  forked: {
    says: 'Diese Stempeluhr gibt es zweimal, oder ihre Speicherkarte ist auf einem alten Stand.',
    todo: 'Nimm die zweite Uhr mit derselben Speicherkarte vom Netz. Gibt es keine, melde dich unter Support & Kontakt.',
  },
  stamps_lost: {
    says: 'Die Stempeluhr hat Stempel endgültig verloren.',
    todo: 'Frag, wer in dieser Zeit gestempelt hat, und trage fehlende Zeiten nach.',
  },

  stamps_not_stored: {
    says: 'Der Server hat einzelne Stempel nicht angenommen. Sie bleiben auf der Uhr.',
    todo: SUPPORT,
  },
  batch_unreadable: {
    says: 'Der Server konnte eine Lieferung nicht lesen. Die Uhr versucht es mit weniger Stempeln auf einmal.',
    todo: 'Kommt die Zeile immer wieder, melde dich unter Support & Kontakt.',
  },
  stamp_set_aside: {
    says: 'Der Server lehnt einen Stempel ab. Die Uhr hebt ihn auf und versucht es täglich wieder.',
    todo: SUPPORT,
  },
  proto_refused: {
    says: 'Der Server versteht diese Version der Uhr nicht.',
    todo: 'Die Uhr braucht ein Update. Melde dich unter Support & Kontakt.',
  },
  delivery_waits_for_disk: {
    says: 'Die Uhr kann gerade nichts liefern, weil ihr Speicher stockt.',
    todo: CARD,
  },
  no_contact_before_delivery: {
    says: 'Vor einer Lieferung war der Server nicht zu erreichen.',
    todo: ITSELF,
  },
  anchor_not_kept: { says: 'Die Uhr konnte sich die genaue Zeit nicht merken.', todo: CARD },
  heartbeat_not_kept: { says: 'Die Uhr konnte sich ein Lebenszeichen nicht merken.', todo: CARD },
  answers_not_served: {
    says: 'Antworten vom Bildschirm der Uhr warten, bis der Server sie annehmen kann.',
    todo: NOTHING_TO_DO,
  },
  answer_rejected: {
    says: 'Der Server hat eine Antwort vom Bildschirm der Uhr abgelehnt.',
    todo: 'Sieh in der Prüfliste nach, ob an dem Tag eine Zeit fehlt, und trage sie nach.',
  },
  answer_set_aside: {
    says: 'Der Server lehnt eine Antwort vom Bildschirm ab. Die Uhr versucht es täglich wieder.',
    todo: 'Sieh in der Prüfliste nach, ob an dem Tag eine Zeit fehlt, und trage sie nach.',
  },

  reader_ok: { says: 'Der Leser für die Chips arbeitet.', todo: NOTHING_TO_DO },
  reader_absent: {
    says: 'Der Leser für die Chips ist nicht da.',
    todo: 'Prüfe sein Kabel und starte die Uhr neu. Bis dahin kann dort niemand stempeln.',
  },
  reader_fault: {
    says: 'Der Leser für die Chips ist gestört.',
    todo: 'Starte die Uhr neu. Bleibt es dabei, muss der Leser getauscht werden.',
  },
  scanner_adopted: { says: 'Ein tragbarer Scanner gehört jetzt zu dieser Uhr.', todo: NOTHING_TO_DO },
  scanner_forgotten: {
    says: 'Ein tragbarer Scanner soll nicht mehr zu dieser Uhr gehören.',
    todo: 'Liegt er nicht in der Basis, steck ihn noch einmal hinein: Dann übernimmt die Uhr, was auf ihm wartet, und er ist frei.',
  },
  scanner_updated: { says: 'Ein tragbarer Scanner arbeitet mit einer neuen Version.', todo: NOTHING_TO_DO },
  scanner_update_failed: {
    says: 'Ein tragbarer Scanner nimmt eine neue Version nicht an. Er arbeitet mit der bisherigen weiter.',
    todo: SUPPORT,
  },
  scanner_full: {
    says: 'Der Speicher eines tragbaren Scanners war voll. Er hat Stempel abgewiesen, mit einem roten Signal.',
    todo: 'Frag, wer mit ihm gestempelt hat, und trag die Zeit nach. Leg ihn jeden Abend in die Basis.',
  },
  scanner_tap_lost: {
    says: 'Ein tragbarer Scanner kann einen seiner Stempel nicht mehr lesen.',
    todo: 'Frag, wer mit ihm gestempelt hat, und trag die Zeit nach. Kommt es wieder vor, muss er getauscht werden.',
  },
  update_tried: { says: 'Die Uhr startet neu und erprobt eine neue Version.', todo: NOTHING_TO_DO },
  update_kept: { says: 'Die neue Version hat sich auf der Uhr bewährt.', todo: NOTHING_TO_DO },
  update_failed: {
    says: 'Eine neue Version hat sich auf der Uhr nicht bewährt. Es läuft wieder die vorige.',
    todo: NOTHING_TO_DO,
  },
  update_postponed: {
    says: 'Eine neue Version ließ sich nicht zu Ende erproben: Sie erreichte den Server nicht, oder Leser oder Speicher der Uhr fielen aus. Es läuft wieder die vorige; die Uhr versucht es später noch einmal.',
    todo: NOTHING_TO_DO,
  },
  update_undone: {
    says: 'Die Uhr startet neu und arbeitet wieder mit der Version, mit der sie geliefert wurde.',
    todo: NOTHING_TO_DO,
  },
  update_refused: {
    says: 'Die Uhr hat eine neue Version abgelehnt: Sie ist nicht richtig signiert oder nicht ganz angekommen.',
    todo: SUPPORT,
  },
  tag_unreadable: {
    says: 'Jemand hat etwas an die Uhr gehalten, das kein Chip ist.',
    todo: 'Meist war es ein Handy. Kommt es oft vor, prüfe den Chip der Person.',
  },
  press_too_late: {
    says: 'Jemand hat am Bildschirm zu spät gedrückt. Das zählt für niemanden.',
    todo: NOTHING_TO_DO,
  },
  decision_failed: {
    says: 'Die Uhr konnte zu einem Stempel nicht anzeigen, ob er Kommen oder Gehen ist. Gespeichert ist er.',
    todo: SUPPORT,
  },

  journal_full: {
    says: 'Der Speicher der Uhr ist voll. Neue Stempel werden nicht angenommen.',
    todo: 'Bring die Uhr ans Netz, damit sie liefern kann, und stempele so lange an einer anderen Uhr.',
  },
  journal_broken: { says: 'Die Uhr kann gerade keine Stempel speichern.', todo: CARD },
  journal_damaged: {
    says: 'Die Datei mit den Stempeln ist beschädigt. Die Uhr rettet, was lesbar ist.',
    todo: CARD,
  },
  journal_replaced: {
    says: 'Die beschädigte Datei mit den Stempeln wurde ersetzt; die alte ist aufgehoben.',
    todo: 'Vergleiche die Zeiten dieser Tage mit den Leuten, die dort stempeln, und lass die Speicherkarte tauschen.',
  },
  journal_not_open: { says: 'Die Uhr konnte ihre Stempel beim Start nicht lesen.', todo: CARD },
  journal_not_read: {
    says: 'Die Uhr konnte beim Start nicht alles lesen, was sie sich gemerkt hat. Stempel nimmt sie trotzdem an.',
    todo: CARD,
  },
  journal_recovered: { says: 'Die Uhr kann wieder Stempel speichern.', todo: NOTHING_TO_DO },
  checkpoint_failed: { says: 'Die Uhr konnte ihren Speicher nicht aufräumen.', todo: CARD },
  housekeeping_failed: { says: 'Die Uhr konnte Altes nicht aufräumen.', todo: CARD },
  side_store_failed: {
    says: 'Die Uhr kann Namen oder Meldungen nicht speichern. Stempel sind nicht betroffen.',
    todo: CARD,
  },
  identity_unreadable: {
    says: 'Die Uhr kann ihren eigenen Schlüssel nicht lesen und erreicht den Server deshalb nicht.',
    todo: SUPPORT,
  },
  identity_damaged: {
    says: 'Die Schlüsseldatei der Uhr war beschädigt. Die Uhr hat einen neuen Schlüssel und zählt deshalb als neue Uhr.',
    todo: 'Weise sie mit dem Code auf ihrer Anzeige wieder zu. Ihre wartenden Stempel hat sie noch.',
  },
  identity_missing: {
    says: 'Die Schlüsseldatei der Uhr fehlte. Die Uhr hat einen neuen Schlüssel und zählt deshalb als neue Uhr.',
    todo: 'Weise sie mit dem Code auf ihrer Anzeige wieder zu. Ihre wartenden Stempel hat sie noch.',
  },
  identity_moved: {
    says: 'Die Speicherkarte steckt in einem anderen Gerät. Es hat einen neuen Schlüssel und zählt deshalb als neue Uhr.',
    todo: 'Weise sie mit dem Code auf ihrer Anzeige zu, oder setz die Karte in das alte Gerät zurück.',
  },
  loop_failed: { says: 'Ein Teil der Uhr ist ausgefallen und wird neu gestartet.', todo: SUPPORT },
  unknown_settings: {
    says: 'In der Konfiguration der Uhr steht etwas, das sie nicht kennt.',
    todo: 'Wer die Uhr eingerichtet hat, sollte die Schreibweise prüfen.',
  },
  time_source_unknown: {
    says: 'Die Uhr erfährt nicht, ob ihre Uhrzeit aus dem Netz kommt.',
    todo: 'Wer die Uhr eingerichtet hat, sollte den Zeitdienst prüfen. Stempel gelten weiter.',
  },
}

const unknownCode: CodeWords = {
  says: 'Diese Meldung kennt diese Version noch nicht.',
  todo: 'Lade die Seite neu. Bleibt es dabei, melde dich unter Support & Kontakt.',
}

export const wordsOf = (code: string): CodeWords =>
  (Object.hasOwn(codeTexts, code) && codeTexts[code]) || unknownCode
