/** The records of working time. */
import { elapsed, lasting } from '../periods'
import type { Section } from './section'

export const WORKING: readonly Section[] = [
  {
    id: 'geraete',
    title: 'Uhren und andere Geräte',
    content: (
      <>
        <p>
          Eine Stempeluhr meldet sich mit einem eigenen Schlüssel an. Gespeichert werden Gerätekennung und
          Seriennummer, Bauart, Softwareversion, MAC-Adresse, IP-Adresse im Netz deiner Firma,
          Firmenzuordnung, Bezeichnung und Notizen. Etwa alle 30&nbsp;Sekunden sagt sie, dass sie läuft, wie
          spät es bei ihr ist, wie viele Stempel noch warten, wie viel Speicher frei ist und wie es dem Leser
          geht; davon bleibt nur das Letzte. Das sind Angaben zum Gerät und nicht zu dir. In kleinen Betrieben
          lassen sie sich aber vielleicht einer Person zuordnen; deshalb behandeln wir sie wie Personendaten
          (Art.&nbsp;6 Abs.&nbsp;1 lit.&nbsp;f DSGVO).
        </p>
        <p>
          Damit die Uhr dich auch ohne Netz begrüßt, hält sie eine Liste vor: Name, Chips, ob du da bist,
          deine Stunden und dein Saldo (wenn deine Firma das so eingestellt hat) und wie viele Nachrichten und
          Übergaben warten, aber nicht, was darin steht. Die Liste wird gelöscht, sobald die Uhr deiner Firma
          nicht mehr gehört.
        </p>
      </>
    ),
  },
  {
    id: 'stempel',
    title: 'Stempel, Zeiteinträge und Zeitkonto',
    content: (
      <>
        <p>
          Jeder Stempel hält fest: die Nummer des Chips, die Zeit, die Richtung (Kommen, Gehen oder von selbst
          erkannt), die Uhr, den Weg (Leser, Scanner, Bildschirm), wie verlässlich die Uhrzeit war, was die
          Uhr angezeigt hat, und wann er bei uns ankam. Aus Chip und Zeit ergibt sich deine Benutzerkennung.
          Einen Ort erfasst die Software nicht, auch nicht auf dem Handy; er ergibt sich höchstens daraus, an
          welcher Uhr du stempelst.
        </p>
        <p>
          Aus den Stempeln errechnet die Software Zeiteinträge, Pausen, Hinweise nach dem Arbeitszeitgesetz
          und dein Zeitkonto mit Soll, Ist, Gutschriften, Buchungen und Saldo. Du selbst und die Verwaltung
          deiner Firma sehen sie; andere Beschäftigte nicht. Stempel mit einem unbekannten Chip werden
          zurückgehalten, bis jemand aus der Verwaltung sie zuordnet.
        </p>
        <p>
          Stempel, auch die mit einem unbekannten Chip, und Zeiteinträge werden, solange das Firmenkonto
          besteht, Jahr für Jahr gelöscht: {lasting('times')} nach dem Ende ihres Jahres, später nur, wenn
          deine Firma mehr festlegt (höchstens 10&nbsp;Jahre; Art.&nbsp;6 Abs.&nbsp;1 lit.&nbsp;b und c DSGVO,
          §&nbsp;16 Abs.&nbsp;2 ArbZG). Der Saldo, den sie ergeben haben, bleibt im Zeitkonto. Ein
          Zeitnachweis, den du oder deine Firma abruft, wird unterschrieben und ebenso lange aufgehoben, damit
          sich seine Echtheit prüfen lässt.
        </p>
      </>
    ),
  },
  {
    id: 'warteschlangen',
    title: 'Offline-Warteschlangen',
    content: (
      <>
        <p>
          Stempelwerk arbeitet ohne Verbindung weiter. Was in dieser Zeit entsteht, wartet auf dem Gerät und
          wird nachgeschickt, sobald wieder eine Verbindung besteht:
        </p>
        <ul>
          <li>
            <strong>Auf der Uhr</strong> liegt jeder Stempel, bis wir ihn bestätigt haben, und danach noch{' '}
            {lasting('clockStamps')}. So geht nichts verloren, wenn wir eine Sicherung einspielen müssen.
          </li>
          <li>
            <strong>Auf mobilen Scannern</strong>, soweit deine Firma sie einsetzt, liegen Stempel, bis eine
            Uhr sie übernommen hat.
          </li>
          <li>
            <strong>Im Browser</strong> liegen Anträge und Antworten, die du ohne Netz abgeschickt hast, mit
            deinem Namen und ihrem Inhalt. Was nach {elapsed('keptAnswers')} noch nicht angekommen ist, wird
            nicht mehr von selbst gesendet, sondern dir wieder vorgelegt. Beim Abmelden fragt die Seite vorher
            und löscht es dann.
          </li>
        </ul>
        <p>
          Damit nichts doppelt geschieht, merkt sich der Server seine Antwort auf solche Anfragen{' '}
          {lasting('keptAnswers')}.
        </p>
      </>
    ),
  },
  {
    id: 'korrekturen',
    title: 'Zeitkorrekturen und Löschungen',
    content: (
      <>
        <p>
          Beantragst du eine Korrektur, speichern wir den Tag, die gewünschten Zeiten, die Pause, deine
          Begründung, wer wann entschieden hat, und das Ergebnis. Auch deine Antwort auf die Frage der Uhr
          „Wann bist du gegangen?“ ist ein solcher Antrag. Entschiedene Anträge werden nach{' '}
          {elapsed('corrections')} gelöscht; was genehmigt wurde, gehört zu den Zeiten und bleibt so lange wie
          sie.
        </p>
        <p>
          Löschst du einen Zeiteintrag, zählt er nicht mehr und ist für dich weg. Die Stempel, aus denen er
          entstand, bleiben als Tatsachen erhalten, ebenso im Änderungsprotokoll, wer wann was gelöscht hat:
          Eine Zeiterfassung, in der etwas spurlos verschwinden kann, wäre als Nachweis nichts wert. Deine
          Firma wird darüber unterrichtet (Art.&nbsp;6 Abs.&nbsp;1 lit.&nbsp;c und f DSGVO).
        </p>
      </>
    ),
  },
  {
    id: 'dienstplan',
    title: 'Dienstplan und Übergaben',
    content: (
      <>
        <p>
          Im Dienstplan stehen die Tage, an denen du arbeiten sollst, mit Zeiten, wenn deine Firma sie angibt,
          und wer dich eingeteilt hat. Willst du einen Dienst abgeben, speichern wir, wer wen gefragt hat, für
          welchen Tag, und was daraus wurde. Kolleginnen und Kollegen sehen deinen Benutzernamen, deine
          Dienste und ob du einen Dienst übernehmen könntest, nie den Grund, aus dem du es nicht kannst
          (Art.&nbsp;6 Abs.&nbsp;1 lit.&nbsp;b&nbsp;DSGVO).
        </p>
        <p>
          Dienste bleiben wie Arbeitszeiten gespeichert. Für Übergabeanfragen ist eine Löschung nach{' '}
          {elapsed('handovers')} vorgesehen.
        </p>
      </>
    ),
  },
  {
    id: 'abwesenheiten',
    title: 'Abwesenheiten und Urlaub',
    content: (
      <>
        <p>
          Zu Urlaub und freien Tagen speichern wir Zeitraum, Art, halbe Tage, deine Begründung, die
          Entscheidung mit Kommentar und wer sie wann getroffen hat. Anträge, die für keinen Urlaubsstand mehr
          gebraucht werden, also abgelehnte und Wünsche nach freien Tagen, werden{' '}
          {lasting('vacationRequests')} nach ihrem letzten Tag gelöscht. Genehmigter Urlaub bleibt, weil die
          Stände späterer Jahre darauf beruhen.
        </p>
        <p>
          Warst du eingeteilt und es gibt keinen Stempel, vermerkt die Software in der Nacht danach „Gefehlt“.
          Das ist eine offene Frage und kein Urteil: Du kannst dazu schreiben, was war, und die Verwaltung
          deiner Firma entscheidet. Kommt der Stempel noch, verschwindet der Vermerk von selbst. Kolleginnen
          und Kollegen sehen Abwesenheiten nicht (Art.&nbsp;6 Abs.&nbsp;1 lit.&nbsp;b&nbsp;DSGVO,
          §&nbsp;26&nbsp;BDSG).
        </p>
      </>
    ),
  },
  {
    id: 'krankmeldungen',
    title: 'Krankmeldungen',
    content: (
      <>
        <p>
          Meldest du dich krank, speichern wir die Tage und deine Nachricht dazu. Eine Diagnose fragt die
          Software nie ab. Lädst du eine Bescheinigung als Bild oder PDF hoch, enthält sie Gesundheitsdaten
          (Art.&nbsp;9&nbsp;DSGVO). Deshalb gilt für sie mehr als für alles andere:
        </p>
        <ul>
          <li>
            Sie wird beim Hochladen aus dem, was sie zeigt, neu geschrieben. Unsichtbare Angaben wie der
            Aufnahmeort eines Fotos bleiben dabei zurück.
          </li>
          <li>Sie liegt verschlüsselt in der Datenbank, jede mit einem eigenen Schlüssel.</li>
          <li>
            Lesen können sie in der Anwendung nur du und die Verwaltung deiner Firma. Unsere System-Admins
            haben darauf keinen Zugriff.
          </li>
          <li>Jedes Ansehen und jedes Ersetzen steht im Änderungsprotokoll.</li>
          <li>
            Sie wird {lasting('sickNotes')} nach der Entscheidung gelöscht; deine Firma kann eine andere Frist
            festlegen. Entscheidet niemand, wird sie {lasting('undecidedSickNotes')} nach dem Hochladen
            gelöscht (§&nbsp;195&nbsp;BGB).
          </li>
        </ul>
        <p>
          Dass du an einem Tag krank warst, bleibt als Teil des Zeitkontos erhalten, solange die Zeiten
          aufbewahrt werden. Rechtsgrundlage ist Art.&nbsp;9 Abs.&nbsp;2 lit.&nbsp;b&nbsp;DSGVO mit §&nbsp;26
          Abs.&nbsp;3&nbsp;BDSG und §&nbsp;5&nbsp;EFZG.
        </p>
      </>
    ),
  },
]
