/** A page's frame, and the logo. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Export } from '../../patterns/Export'
import { MonthPage } from '../../patterns/MonthPage'
import { Page } from '../../patterns/Page'
import { Button } from '../../ui/Button'
import { BRAND } from '../../ui/brand'
import { Plus, Refresh } from '../../ui/icons'
import { Logo, Mark } from '../../ui/Logo'
import { PageFrame } from '../../ui/PageFrame'
import { Row } from '../parts'
import { noop, type Specimen } from '../specimen'

export const title = 'Seite und Marke'

export const specimens: readonly Specimen[] = [
  {
    name: 'Nur ein Titel',
    render: () => (
      <PageFrame title="Modul nicht gefunden">
        <p>Was darunter steht.</p>
      </PageFrame>
    ),
  },
  {
    name: 'Mit allem',
    render: () => (
      <Page
        title="Logins verwalten"
        lead="Wer sich für eine Firma einloggen darf, und mit welcher Rolle. Was jemand hier ändert, steht im Protokoll."
        actions={
          <>
            <Button icon={<Refresh size={18} />}>Aktualisieren</Button>
            <Button look="primary" icon={<Plus size={20} />}>
              Login anlegen
            </Button>
          </>
        }
      >
        <p>Was darunter steht.</p>
      </Page>
    ),
  },
  {
    name: 'Ein Monat, mit Dateien',
    render: () => (
      <QueryClientProvider client={new QueryClient()}>
        <MonthPage
          title="Anwesende Mitarbeiter"
          month="2026-11"
          onMonth={noop}
          live
          exports={
            <Export
              files={[{ key: 'csv', label: 'Monat als CSV', path: '/', name: 'monat.csv' }]}
              failed="Der Monat konnte nicht geladen werden."
            />
          }
        >
          <p>Was darunter steht.</p>
        </MonthPage>
      </QueryClientProvider>
    ),
  },
  {
    name: 'Die Marke',
    render: () => (
      <Row>
        <Logo name={BRAND} />
        <Mark size={64} />
        <Mark size={20} />
      </Row>
    ),
  },
]
