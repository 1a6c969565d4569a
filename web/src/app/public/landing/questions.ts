import { euros, PRICES } from '../../../entities/offer/prices'

export const QUESTIONS = [
  {
    question: 'Was passiert, wenn das Internet ausfällt?',
    answer:
      'Nichts, was du merkst. Die Uhr stempelt weiter, tagelang, und sagt „gespeichert · wird gesendet“. Ist das Netz wieder da, schickt sie alles nach, in der richtigen Reihenfolge und nichts doppelt.',
  },
  {
    question: 'Und wenn jemand zweimal hintereinander den Chip anhält?',
    answer:
      'Dann sagt die Uhr „Schon gestempelt“, und es zählt einmal. Der Abstand ist einstellbar; voreingestellt ist eine Minute.',
  },
  {
    question: 'Was, wenn jemand das Gehen vergisst?',
    answer:
      'Beim nächsten Stempeln fragt die Uhr, wann die Person gegangen ist. Die Antwort geht als Korrekturantrag an die Verwaltung; erfunden wird keine Zeit.',
  },
  {
    question: 'Kann ich mit dem Handy stempeln?',
    answer:
      'Nein. Handys und Bankkarten nennen oft jedes Mal eine andere Nummer. Gestempelt wird mit einem Chip am Schlüsselbund; auf dem Handy siehst du deine Zeiten, beantragst Urlaub und korrigierst.',
  },
  {
    question: 'Erfüllt das die Pflicht zur Zeiterfassung?',
    answer:
      'Beginn, Ende und Dauer der täglichen Arbeit werden für alle aufgezeichnet, wie es das Bundesarbeitsgericht seit 2022 verlangt; Pausen, Höchstarbeitszeit und Ruhezeit werden nach dem Arbeitszeitgesetz geprüft. Eine Rechtsberatung ersetzt das nicht.',
  },
  {
    question: 'Wo liegen die Daten?',
    answer:
      'Da, wo du willst: in unserer Cloud oder auf einem Rechner im eigenen Netz. Es ist dieselbe Software, und die Uhr kennt den Unterschied nicht.',
  },
  {
    question: 'Was kostet das im Monat?',
    answer: `Die Uhr kaufst du einmal, ab ${euros(PRICES.wand)} zzgl. MwSt. Läuft sie im eigenen Netz, kostet der Betrieb nichts; in der Cloud sind es ${euros(PRICES.cloudMonthly)} im Monat, ebenfalls zzgl. MwSt.`,
  },
] as const
