import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { complaintAt } from '../../tests/complaints'
import { renderPage } from '../../tests/page'
import { ConfirmDialog } from './ConfirmDialog'
import { Dialog } from './Dialog'

function Page({ stays = false }: { stays?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <main id="content" tabIndex={-1}>
      <button type="button" onClick={() => setOpen(true)}>
        Öffnen
      </button>
      {open && (
        <Dialog title="Frage" stays={stays} onClose={() => setOpen(false)}>
          <button type="button" onClick={() => setOpen(false)}>
            Fertig
          </button>
        </Dialog>
      )}
    </main>
  )
}

function Rows() {
  const [rows, setRows] = useState(['Mia', 'Finn'])
  const [asked, setAsked] = useState<string | null>(null)
  const remove = () => {
    setRows(rows.filter(row => row !== asked))
    setAsked(null)
  }
  return (
    <ul>
      {rows.map(row => (
        <li key={row}>
          <button type="button" onClick={() => setAsked(row)}>
            {row}
          </button>
        </li>
      ))}
      {asked !== null && (
        <Dialog title="Weg damit?" onClose={() => setAsked(null)}>
          <button type="button" onClick={remove}>
            Löschen
          </button>
        </Dialog>
      )}
    </ul>
  )
}

/** Two dialogs, the second in the first one's place: as where one waits for what the next shows. */
function Steps() {
  const [step, setStep] = useState(0)
  return (
    <main id="content" tabIndex={-1}>
      <button type="button">Davor</button>
      <button type="button" onClick={() => setStep(1)}>
        Öffnen
      </button>
      {step > 0 && (
        <Dialog key={step} title={`Schritt ${step}`} onClose={() => setStep(0)}>
          <button type="button" onClick={() => setStep(2)}>
            Weiter
          </button>
        </Dialog>
      )}
    </main>
  )
}

describe('a dialog', () => {
  it('gives the focus back to what opened it', async () => {
    renderPage(<Page />)
    const opener = screen.getByRole('button', { name: 'Öffnen' })
    await userEvent.click(opener)
    await screen.findByRole('dialog', { name: 'Frage' })
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(opener))
  })

  it('gives it to the nearest thing when what opened it is gone', async () => {
    renderPage(<Rows />)
    await userEvent.click(screen.getByRole('button', { name: 'Finn' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Löschen' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Mia' })))
  })

  it('that takes the place of another gives the focus back to what opened the first', async () => {
    renderPage(<Steps />)
    const opener = screen.getByRole('button', { name: 'Öffnen' })
    await userEvent.click(opener)
    await userEvent.click(await screen.findByRole('button', { name: 'Weiter' }))
    await screen.findByRole('dialog', { name: 'Schritt 2' })
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(opener))
  })

  it('that stays is left by its own button alone', async () => {
    renderPage(<Page stays />)
    await userEvent.click(screen.getByRole('button', { name: 'Öffnen' }))
    await screen.findByRole('dialog')
    await userEvent.keyboard('{Escape}')
    await userEvent.click(document.querySelector('.mantine-Modal-overlay') as Element)
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Schließen' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Fertig' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('a confirmation', () => {
  it('that wants a word does nothing before it stands there exactly, and says so', async () => {
    const confirm = vi.fn()
    renderPage(
      <ConfirmDialog
        title="Löschen?"
        consequences={['Alles weg.']}
        confirm="Löschen"
        busy={false}
        failure={null}
        typed={{ word: 'Holm', label: 'Name', wrong: 'So heißt sie nicht.' }}
        onConfirm={confirm}
        onClose={() => undefined}
      />,
    )
    const field = await screen.findByLabelText('Name')
    const press = () => userEvent.click(screen.getByRole('button', { name: 'Löschen' }))
    await press()
    expect(complaintAt(field)).toBe('So heißt sie nicht.')
    expect(document.activeElement).toBe(field)
    await userEvent.type(field, 'holm')
    expect(complaintAt(field)).toBeNull()
    await press()
    expect(complaintAt(field)).toBe('So heißt sie nicht.')
    expect(confirm).not.toHaveBeenCalled()
    await userEvent.clear(field)
    await userEvent.type(field, ' Holm {Enter}')
    expect(confirm).toHaveBeenCalledOnce()
  })

  it('begins at the way out, and shows what went wrong', async () => {
    renderPage(
      <ConfirmDialog
        title="Löschen?"
        consequences={['Alles weg.']}
        confirm="Löschen"
        busy={false}
        failure={{ title: 'Fehler beim Löschen.', detail: 'Server nicht erreichbar.' }}
        onConfirm={() => undefined}
        onClose={() => undefined}
      />,
    )
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Abbrechen' })),
    )
    expect(screen.getByRole('alert').textContent).toBe('Fehler beim Löschen.Server nicht erreichbar.')
  })

  it('does it at the press, says what went wrong, forgets that with the next question, and goes once it is done', async () => {
    const outcomes: (string | null)[] = [null, 'weg']
    const done = vi.fn()
    const closed = vi.fn()
    const acting = {
      run: async (id: string) => outcomes.shift() && `${id} ${'weg'}`,
      busy: false,
      failure: { title: 'Fehler beim Löschen.', detail: 'Fehler beim Löschen.' },
      reset: vi.fn(),
    }
    renderPage(
      <ConfirmDialog
        title="Löschen?"
        confirm="Löschen"
        acting={acting}
        input="Holm"
        done={done}
        onClose={closed}
      />,
    )
    const press = async () => userEvent.click(await screen.findByRole('button', { name: 'Löschen' }))
    expect(acting.reset).toHaveBeenCalledOnce()
    await press()
    expect(screen.getByRole('alert').textContent).toBe('Fehler beim Löschen.')
    expect(closed).not.toHaveBeenCalled()
    await press()
    expect(done).toHaveBeenCalledWith('Holm weg')
    expect(closed).toHaveBeenCalledOnce()
  })

  it('is not done before it is ticked', async () => {
    const confirm = vi.fn()
    renderPage(
      <ConfirmDialog
        title="Löschen?"
        confirm="Löschen"
        ticked={{ label: 'Wirklich', wrong: 'Bitte ankreuzen.' }}
        onConfirm={confirm}
        onClose={() => undefined}
      />,
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Löschen' }))
    expect(complaintAt(screen.getByLabelText('Wirklich'))).toBe('Bitte ankreuzen.')
    expect(confirm).not.toHaveBeenCalled()
    await userEvent.click(screen.getByLabelText('Wirklich'))
    await userEvent.click(screen.getByRole('button', { name: 'Löschen' }))
    expect(confirm).toHaveBeenCalledOnce()
  })
})
