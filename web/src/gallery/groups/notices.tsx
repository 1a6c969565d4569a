/** Notices: news, errors, being offline; and the success message. */
import { Successes } from '../../patterns/Successes'
import { succeed } from '../../patterns/succeed'
import { Trouble } from '../../patterns/Trouble'
import { UnsentItems } from '../../patterns/Unsent'
import { WrongClockNotice } from '../../patterns/WrongClock'
import { Button } from '../../ui/Button'
import { ErrorNotice, Notice, OfflineBanner } from '../../ui/Notice'
import { NOW } from '../clock'
import { Stage } from '../parts'
import { noop, type Specimen } from '../specimen'

export const title = 'Meldungen'

const FOR_EVER_MS = 2 ** 31 - 1

export const prepare = () => succeed('Login „Mia Sommer“ gespeichert.', FOR_EVER_MS)

const UNSENT = {
  id: '1',
  userId: 'u-1',
  username: 'Mia Sommer',
  kind: 'vacation',
  path: '',
  body: null,
  createdAt: NOW,
  refusal: null,
}
const REFUSAL = {
  status: 409,
  code: 'overlap',
  sentence: 'In diesem Zeitraum hast du schon einen Antrag.',
  fields: {},
}

export const specimens: readonly Specimen[] = [
  {
    name: 'Nachricht',
    render: () => (
      <>
        <Notice>
          <p>Der neue Chip gilt ab dem nächsten Stempel.</p>
        </Notice>
        <Notice tone="done">
          <p>Antrag gesendet. Nach Genehmigung erscheint die geänderte Zeit hier.</p>
        </Notice>
        <Notice title="Eine neue Version ist da." action={<Button look="plain">Neu laden</Button>}>
          <p>Was du gerade eingibst, geht dabei verloren.</p>
        </Notice>
      </>
    ),
  },
  {
    name: 'Fehler',
    render: () => (
      <>
        <ErrorNotice failure={{ title: 'Login falsch.', detail: 'Login falsch.' }} />
        <ErrorNotice
          failure={{
            title: 'Login konnte nicht gespeichert werden.',
            detail: 'Dieser Chip gehört schon jemandem; ein Chip kann nur einer Person gehören.',
          }}
        />
        <Notice
          tone="error"
          title="Deine Zeiten konnten nicht aktualisiert werden."
          action={<Button look="plain">Erneut versuchen</Button>}
        >
          <p>Serverfehler (500).</p>
        </Notice>
      </>
    ),
  },
  {
    name: 'Ohne Verbindung',
    render: () => (
      <>
        <OfflineBanner outage="server" asOf={null} />
        <OfflineBanner
          outage="network"
          asOf="20. November, 10:58 Uhr"
          consequence="Änderungen gehen erst wieder, wenn er antwortet."
        />
      </>
    ),
  },
  {
    name: 'Noch nicht beim Server',
    render: () => (
      <UnsentItems
        items={[UNSENT, { ...UNSENT, id: '2', refusal: REFUSAL }]}
        nameOf={() => 'Urlaub vom 1. bis 5. August'}
        onEdit={noop}
      />
    ),
  },
  {
    name: 'Nicht aufgehoben',
    render: () => (
      <>
        <Trouble trouble={{ unkept: false, lost: 1 }} onUnderstood={noop} />
        <Trouble trouble={{ unkept: true, lost: 0 }} onUnderstood={noop} />
      </>
    ),
  },
  {
    name: 'Die Uhr des Geräts',
    render: () => (
      <>
        <WrongClockNotice ahead={3 * 3_600_000} now={new Date(NOW)} onUnderstood={noop} />
        <WrongClockNotice ahead={-61 * 86_400_000} now={new Date(NOW)} onUnderstood={noop} />
      </>
    ),
  },
  {
    name: 'Erledigt',
    render: () => (
      <Stage height={150} phone={150}>
        <Successes />
      </Stage>
    ),
  },
]
